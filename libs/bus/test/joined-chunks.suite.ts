import { operation, subjectOf } from '@callboard/contract'
import { until } from '@callboard/testkit/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { HEARTBEAT } from '../src/heartbeat.ts'
import { LargeRequests } from '../src/large/large-requests.ts'
import { CONTROL, KIND, LAST, NUMBER, TAKES_MANY } from '../src/streams/frames.ts'
import { readStream } from '../src/streams/read-stream.ts'
import { respondStream, type StreamResponder } from '../src/streams/respond-stream.ts'
import type { Transport } from '../src/transport.ts'
import { encode, MAX_MESSAGE_BYTES, type Wire, type WireMessage } from '../src/wire.ts'

const count = operation({
  id: 'suite.countUp',
  summary: 'Counts',
  timeoutMs: 10_000,
  stream: true,
  input: z.object({ to: z.number(), text: z.string().optional(), times: z.number().optional() }),
  output: z.object({ n: z.number() }),
  errors: [],
})
const meta = { caller: { kind: 'anonymous' }, requestId: 'r-1', timeoutMs: 10_000 } as const

const ENDS = new Set<string | undefined>(['end', 'fault'])

/** How many messages carry the chunks of one turn of the event loop, for readers of this and the previous release. */
export function joinedChunksSuite(name: string, connect: () => Promise<Wire>): void {
  describe(`chunks of one event-loop turn, on ${name}`, () => {
    let transport: Transport
    beforeEach(async () => {
      transport = { wire: await connect(), heartbeat: HEARTBEAT, large: new LargeRequests() }
      const produce: StreamResponder<typeof count> = async function* ({ to, text = '', times = 1 }) {
        for (let n = 0; n < to; n += 1) yield { n, text: text.repeat(times) }
      }
      respondStream(transport, count, produce, 8)
      await transport.wire.flush()
    })
    afterEach(() => transport.wire.close())

    /** Requests as a reader on the wire itself. @returns the stream's messages without the first, which opens it */
    async function messages(
      input: { to: number; text?: string; times?: number },
      says: Readonly<Record<string, string>>,
    ) {
      const { wire } = transport
      const all: WireMessage[] = []
      const inbox = wire.inbox()
      wire.subscribe(inbox, undefined, (message) => all.push(message))
      wire.publish(subjectOf(count), encode({ input }), says, inbox)
      await until('the stream is over', () => all.some(({ headers }) => ENDS.has(headers[KIND]) || headers[LAST]))
      return all.slice(1)
    }

    test('travel in one message together with the end of the stream', async () => {
      const [only, ...others] = await messages({ to: 3 }, TAKES_MANY)
      expect(others).toEqual([])
      expect(only?.headers).toMatchObject({ [KIND]: 'chunks', [NUMBER]: '0', [LAST]: '1' })
      expect(JSON.parse(Buffer.from(only?.payload ?? []).toString())).toMatchObject([{ n: 0 }, { n: 1 }, { n: 2 }])
    })

    test('travel one by one to a reader of the previous release, followed by the end', async () => {
      const all = await messages({ to: 3 }, {})
      expect(all.map(({ headers }) => [headers[KIND], headers[NUMBER]])).toEqual([
        ['chunk', '0'],
        ['chunk', '1'],
        ['chunk', '2'],
        ['end', '3'],
      ])
    })

    test('are split so that no message exceeds the size limit', async () => {
      const all = await messages({ to: 12, text: '€'.repeat(50_000) }, TAKES_MANY)
      expect(all.length).toBeGreaterThan(1)
      for (const { payload } of all) expect(payload.length).toBeLessThanOrEqual(MAX_MESSAGE_BYTES)
    })

    test.each([
      ['together longer than one message', 50_000],
      ['each longer than joined ones may be', 70_000],
    ])('are numbered without a gap, and read in order, where they are %s', async (_what, length) => {
      const text = 'a'.repeat(length)
      const all = await messages({ to: 4, text }, TAKES_MANY)
      expect(all.map(({ headers }) => headers[NUMBER])).toEqual(['0', '1', '2', '3'])
      const read: number[] = []
      for await (const { n } of readStream(transport, { op: count, input: { to: 4, text }, meta })) read.push(n)
      expect(read).toEqual([0, 1, 2, 3])
    })

    test('are read in order, even when there are more than may be in flight', async () => {
      const read: number[] = []
      for await (const { n } of readStream(transport, { op: count, input: { to: 100 }, meta })) read.push(n)
      expect(read).toEqual(Array.from({ length: 100 }, (_, n) => n))
    })

    test.each([
      ['of this release', TAKES_MANY],
      ['of the previous release', {}],
    ])('a chunk that no message can carry ends its stream with a fault, for a reader %s', async (_whose, says) => {
      const all = await messages({ to: 1, text: 'a', times: 2 * MAX_MESSAGE_BYTES }, says)
      expect(all.map(({ headers }) => [headers[KIND], headers[CONTROL]])).toEqual([['fault', 'remote']])
    })

    test('a request whose caller cannot be read, as a newer release’s, ends with a fault', async () => {
      const all = await messages({ to: 1 }, { ...TAKES_MANY, 'cb-caller': '{"kind":"newer"}' })
      expect(all.map(({ headers }) => [headers[KIND], headers[CONTROL]])).toEqual([['fault', 'remote']])
    })

    test('a stream without chunks ends', async () => {
      for await (const chunk of readStream(transport, { op: count, input: { to: 0 }, meta }))
        expect.fail(`there is ${JSON.stringify(chunk)}`)
    })
  })
}
