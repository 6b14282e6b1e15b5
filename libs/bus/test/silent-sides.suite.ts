import { largeSubjectOf, operation, subjectOf } from '@callboard/contract'
import { until } from '@callboard/testkit/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { FAULT_KIND, STATUS } from '../src/frames.ts'
import { BODY_BYTES, PIECE_AT, PIECE_BYTES } from '../src/large/frames.ts'
import { LargeRequests } from '../src/large/large-requests.ts'
import { request } from '../src/requests.ts'
import { respond } from '../src/responses.ts'
import { readStream } from '../src/streams/read-stream.ts'
import type { Transport } from '../src/transport.ts'
import { NOTHING, type Wire, type WireMessage } from '../src/wire.ts'

const BYTES = 3_000_000
const shape = {
  timeoutMs: 30_000,
  maxRequestBytes: BYTES,
  input: z.object({ text: z.string() }),
  output: z.object({ length: z.number() }),
  errors: [],
} as const
const weigh = operation({ ...shape, id: 'suite.weigh', summary: 'Says how long a text is' })
const weighStreamed = operation({ ...shape, id: 'suite.weighStreamed', summary: 'The same, streamed', stream: true })
const meta = { caller: { kind: 'anonymous' }, requestId: 'r-1', timeoutMs: 30_000 } as const
const text = 'x'.repeat(BYTES - 1_000)

/** What happens to a request, usually a large one, when one side falls silent; the test plays that side on the wire. */
export function silentSidesSuite(name: string, connect: () => Promise<Wire>): void {
  describe(`a side of a request that falls silent, on ${name}`, () => {
    let transport: Transport
    beforeEach(async () => {
      const heartbeat = { everyMs: 40, idleTimeoutMs: 1_500 }
      transport = { wire: await connect(), heartbeat, large: new LargeRequests(BYTES + 1_000) }
    })
    afterEach(() => transport.wire.close())

    /** Announces a request, and sends a number of its pieces. @returns the answer */
    function announce(pieces: number) {
      const { wire } = transport
      const inbox = wire.inbox()
      const answers: WireMessage[] = []
      let given = 0
      wire.subscribe(inbox, undefined, (message) => {
        const { headers, reply } = message
        if (headers[PIECE_AT] === undefined) return answers.push(message)
        given += 1
        if (reply === undefined || given > pieces) return
        const at = Number(headers[PIECE_AT])
        wire.publish(reply, Buffer.alloc(Math.min(PIECE_BYTES, BYTES - at), 'x'), {})
      })
      const headers = { [BODY_BYTES]: String(BYTES) }
      return { answers, send: () => wire.publish(largeSubjectOf(weigh), NOTHING, headers, inbox) }
    }

    test('fault reader_lost: the asker; its handler is not called, and its memory is freed', async () => {
      let calls = 0
      const served = respond(
        transport,
        weigh,
        async (input) => {
          calls += 1
          return { length: input.text.length }
        },
        8,
      )
      await transport.wire.flush()
      const { answers, send } = announce(2)
      send()
      await until('it is given up', () => answers.length > 0)
      expect(answers[0]?.headers).toMatchObject({ [STATUS]: 'fault', [FAULT_KIND]: 'reader_lost' })
      expect(calls).toBe(0)
      expect(await request(transport, { op: weigh, input: { text }, meta })).toEqual({ length: text.length })
      await served.stop(1_000)
    })

    test('fault too_large: an announcement above the operation’s limit, of which nothing is fetched', async () => {
      const served = respond(transport, weigh, async (input) => ({ length: input.text.length }), 8)
      await transport.wire.flush()
      const inbox = transport.wire.inbox()
      const answers: WireMessage[] = []
      transport.wire.subscribe(inbox, undefined, (message) => answers.push(message))
      const headers = { [BODY_BYTES]: String(BYTES * 2) }
      transport.wire.publish(largeSubjectOf(weigh), NOTHING, headers, inbox)
      await until('it is refused', () => answers.length > 0)
      expect(answers[0]?.headers).toMatchObject({ [STATUS]: 'fault', [FAULT_KIND]: 'too_large' })
      await served.stop(1_000)
    })

    /** Takes a request, sends a sign of life, asks for one piece, and falls silent. */
    function dying(subject: string, sign: Readonly<Record<string, string>>) {
      const { wire } = transport
      wire.subscribe(subject, 'suite', ({ reply }) => {
        wire.publish(reply ?? '', NOTHING, sign)
        wire.publish(reply ?? '', NOTHING, { [PIECE_AT]: '0' }, wire.inbox())
      })
      return wire.flush()
    }

    test('fault lost: the responder, killed with an unread request of any size', async () => {
      for (const subject of [subjectOf(weigh), largeSubjectOf(weigh)])
        transport.wire.subscribe(subject, 'suite', () => {
          // The driver took it from the server, and no code ran after that.
        })
      await transport.wire.flush()
      for (const words of ['short', text])
        await expect(request(transport, { op: weigh, input: { text: words }, meta })).rejects.toMatchObject({
          kind: 'lost',
        })
    })

    test('fault lost: the responder, while it fetches a request', async () => {
      await dying(largeSubjectOf(weigh), { [STATUS]: 'working' })
      await expect(request(transport, { op: weigh, input: { text }, meta })).rejects.toMatchObject({ kind: 'lost' })
    })

    test('fault lost: the responder, while it fetches the request of a stream', async () => {
      await dying(largeSubjectOf(weighStreamed), { 'cb-chunk': 'open' })
      await expect(readStream(transport, { op: weighStreamed, input: { text }, meta }).next()).rejects.toMatchObject({
        kind: 'lost',
      })
    })
  })
}
