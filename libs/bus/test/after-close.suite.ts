import { operation } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { LargeRequests } from '../src/large/large-requests.ts'
import { request } from '../src/requests.ts'
import { respond } from '../src/responses.ts'
import { readStream } from '../src/streams/read-stream.ts'
import { respondStream, type StreamCall, type StreamResponder } from '../src/streams/respond-stream.ts'
import type { Transport } from '../src/transport.ts'
import type { Wire } from '../src/wire.ts'

const shape = { timeoutMs: 60_000, input: z.object({}), output: z.object({ n: z.number() }), errors: [] } as const
const count = operation({ ...shape, id: 'suite.count', summary: 'Counts on', stream: true })
const answer = operation({ ...shape, id: 'suite.answer', summary: 'Answers late' })
const meta = { caller: { kind: 'anonymous' }, requestId: 'r-1', timeoutMs: 60_000 } as const

const transportOver = (wire: Wire): Transport => ({
  wire,
  heartbeat: { everyMs: 20, idleTimeoutMs: 1_500 },
  large: new LargeRequests(),
})

/**
 * Handlers that continue when their process's bus is closed, as when a shutdown has waited long enough. An error
 * outside an awaited promise fails the run.
 * @param connect the calling and the answering side; one wire where they share a process
 */
export function afterCloseSuite(name: string, connect: () => Promise<readonly [asker: Wire, server: Wire]>): void {
  /** A stream whose bus is closed after its first chunk. @returns how its handler ends */
  async function closedUnder(goOn: (call: StreamCall) => AsyncIterable<{ n: number }>) {
    const [asker, server] = await connect()
    const [begun, over] = [Promise.withResolvers<StreamCall>(), Promise.withResolvers<string>()]
    const produce: StreamResponder<typeof count> = async function* (_input, call) {
      try {
        yield { n: 0 }
        begun.resolve(call)
        yield* goOn(call)
        over.resolve('ended')
      } finally {
        over.resolve('left')
      }
    }
    const served = respondStream(transportOver(server), count, produce, 8)
    await server.flush()
    const chunks = readStream(transportOver(asker), { op: count, input: {}, meta })
    expect(await chunks.next()).toEqual({ done: false, value: { n: 0 } })
    const read = chunks.next().catch((error: unknown) => error)
    const call = await begun.promise
    await served.stop(0)
    await server.close()
    const close = async () => {
      expect(await read).toMatchObject({ kind: 'lost' })
      await asker.close()
    }
    return { call, over: over.promise, close }
  }

  describe(`a handler that outlives the close of its bus, on ${name}`, () => {
    test('learns from its signal that its reader is unreachable', async () => {
      const { call, over, close } = await closedUnder(async function* ({ signal }) {
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        yield* []
      })
      expect(await over).toBe('ended')
      expect(call.signal.reason).toMatchObject({ kind: 'disconnected' })
      await close()
    })

    test('ends at its next chunk if it ignores the signal', async () => {
      const resume = Promise.withResolvers<void>()
      const { over, close } = await closedUnder(async function* () {
        await resume.promise
        for (let n = 1; ; n += 1) yield { n }
      })
      resume.resolve()
      expect(await over).toBe('left')
      await close()
    })

    test.each(['answers', 'fails'])('reaches no caller when it %s in one piece', async (outcome) => {
      const [asker, server] = await connect()
      const [begun, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const handler = async () => {
        begun.resolve()
        await resume.promise
        if (outcome === 'fails') throw new Error('it failed')
        return { n: 1 }
      }
      const served = respond(transportOver(server), answer, handler, 8)
      await server.flush()
      const asked = request(transportOver(asker), { op: answer, input: {}, meta }).catch((error: unknown) => error)
      await begun.promise
      await served.stop(0)
      await server.close()
      resume.resolve()
      expect(await asked).toMatchObject({ kind: 'lost' })
      await asker.close()
    })
  })
}
