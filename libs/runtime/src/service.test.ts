import { operation } from '@callboard/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Handler, type ServiceContext, service } from './index.ts'

const shape = { input: z.object({}), output: z.object({}), timeoutMs: 1_000, errors: [] }
const contract = { ask: operation({ id: 'asker.ask', summary: 'Asks another', ...shape }) }
const declared = operation({ id: 'other.declared', summary: 'May be called', ...shape })
const undeclared = operation({ id: 'other.undeclared', summary: 'May not be called', ...shape })

const calls = [declared] as const
type Context = ServiceContext<Record<string, unknown>, object, undefined>
const ask: Handler<typeof contract.ask, Context, (typeof calls)[number]> = (_input, ctx) => ctx.call(declared, {})
const asker = { name: 'asker', config: z.object({}), operations: contract }

test('a handler that calls an operation outside its declared calls does not compile', () => {
  const astray: typeof ask = (_input, ctx) =>
    // @ts-expect-error: the operation is not among `calls`
    ctx.call(undeclared, {})
  expect(astray).toBeTypeOf('function')
})

test('a service that leaves out the calls of its handlers does not compile', () => {
  const made = service<z.ZodObject, object, undefined, typeof contract, typeof calls>({
    ...asker,
    serves: { ask },
    calls,
  })
  expect(made.calls).toEqual([declared])
  // @ts-expect-error: `calls` is missing
  service<z.ZodObject, object, undefined, typeof contract, typeof calls>({ ...asker, serves: { ask } })
  // @ts-expect-error: the handler calls what this service does not declare
  service<z.ZodObject, object, undefined, typeof contract>({ ...asker, serves: { ask } })
})
