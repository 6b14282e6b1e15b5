import type { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { SqlText, type Statement, statement, textStatement } from './statement.ts'

/** What a statement sends. */
async function sent(asked: Statement<unknown>) {
  const queries: CompiledQuery[] = []
  const executeQuery = async (query: CompiledQuery) => {
    queries.push(query)
    return { rows: [] }
  }
  await asked.execute({ executeQuery } as never)
  return queries.map(({ sql, parameters }) => [sql, ...parameters])[0]
}

test('default: values become parameters in their order, whatever they are', async () => {
  const at = new Date(0)
  expect(await sent(statement`select ${1} from a where b = any(${['x']}::text[]) and c > ${at}`)).toEqual([
    ...['select $1 from a where b = any($2::text[]) and c > $3', 1, ['x'], at],
  ])
  expect(await sent(statement`select 1`)).toEqual(['select 1'])
})

test('behavior: a constant piece is part of the text', async () => {
  const states = new SqlText(`'signed', 'broadcast'`)
  const busy = (network: string, limit: number) =>
    statement`select 1 where n = ${network} and state in (${states}) limit ${limit}`
  const text = `select 1 where n = $1 and state in ('signed', 'broadcast') limit $2`
  expect(await sent(busy('a', 3))).toEqual([text, 'a', 3])
  expect(await sent(busy('b', 4))).toEqual([text, 'b', 4])
})

test('behavior: a place has one text, so it is one prepared statement', async () => {
  const one = (value: number) => statement`select ${value}`
  const [first] = (await sent(one(1))) ?? []
  const [again] = (await sent(one(2))) ?? []
  expect(Object.is(first, again)).toBe(true)
})

test('error: a piece that changes from call to call', () => {
  const from = (table: string) => statement`select 1 from ${new SqlText(table)} where a = ${1}`
  from('one')
  expect(() => from('two')).toThrow('not always the same: select 1 from one where a = $1')
  const where = (limit: unknown) => statement`select 1 limit ${limit}`
  where(1)
  expect(() => where(new SqlText('all'))).toThrow('not always the same: select 1 limit $1')
})

test('behavior: a kept text is sent as it is', async () => {
  expect(await sent(textStatement('select $1', ['x']))).toEqual(['select $1', 'x'])
})
