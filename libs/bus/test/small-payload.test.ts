import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { operation } from '@callboard/contract'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Bus, natsBus } from '../src/index.ts'

const url = inject('natsUrl')

const repeat = operation({
  id: 'suite.repeat',
  summary: 'Repeats',
  timeoutMs: 10_000,
  stream: true,
  input: z.object({ chunks: z.number(), length: z.number() }),
  output: z.object({ text: z.string() }),
  errors: [],
})
const shape = {
  summary: 'Weighs',
  timeoutMs: 5_000,
  input: z.object({ text: z.string() }),
  output: z.object({ length: z.number() }),
  errors: [],
} as const
const weigh = operation({ ...shape, id: 'suite.weigh' })
const weighMuch = operation({ ...shape, id: 'suite.weighMuch', maxRequestBytes: 2_000_000 })
const meta = { caller: { kind: 'anonymous' }, requestId: 'r-1', timeoutMs: 10_000 } as const

let storeDir: string
let server: NatsServer
let bus: Bus

beforeAll(async () => {
  if (!url) return
  storeDir = temporaryFolder('callboard-payload-')
  const config = join(storeDir, 'small.conf')
  writeFileSync(config, 'max_payload: 163840')
  server = await startNatsServer({ storeDir, args: ['-c', config] })
  bus = await natsBus(server.url, 'suite')
  bus.serveStream(repeat, async function* ({ chunks, length }) {
    for (let at = 0; at < chunks; at += 1) yield { text: '€'.repeat(length) }
    // What was yielded is sent before the stream ends.
    await nextTurn()
  })
  for (const op of [weigh, weighMuch]) bus.serve(op, async ({ text }) => ({ length: text.length }))
  await bus.settle()
})
afterAll(async () => {
  if (!url) return
  await bus.close()
  await server.stop()
  rmSync(storeDir, { recursive: true, force: true })
})

async function read(chunks: number, length: number): Promise<number[]> {
  const lengths: number[] = []
  for await (const { text } of bus.stream(repeat, { chunks, length }, meta)) lengths.push(text.length)
  return lengths
}

/** An error outside an awaited promise fails the run. */
describe.skipIf(!url)(
  `a NATS that takes less than its default${url ? '' : ` (not run: ${inject('absent').nats})`}`,
  () => {
    test('carries chunks that are joined in messages of its size', async () => {
      expect(await read(8, 15_000)).toEqual(Array.from({ length: 8 }, () => 15_000))
    })

    test('ends the stream of a chunk that it does not take with a fault', async () => {
      await expect(read(1, 60_000)).rejects.toMatchObject({ kind: 'remote' })
      expect(await read(1, 10)).toEqual([10])
    })

    test.each([
      ['too_large', weigh, 150_000],
      ['reader_lost', weighMuch, 1_000_000],
    ])('refuses a request that it does not take with %s, and goes on', async (kind, op, length) => {
      await expect(bus.call(op, { text: 'x'.repeat(length) }, meta)).rejects.toMatchObject({ kind })
      expect(await bus.call(op, { text: 'x' }, meta)).toEqual({ length: 1 })
    })
  },
)
