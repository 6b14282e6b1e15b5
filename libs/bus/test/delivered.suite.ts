import { operation } from '@callboard/contract'
import { until } from '@callboard/testkit/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Bus, isReaderLost, type StreamCall } from '../src/index.ts'

const tell = operation({
  id: 'suite.tell',
  summary: 'Says three things',
  timeoutMs: 30_000,
  stream: true,
  input: z.object({}),
  output: z.object({ n: z.number() }),
  errors: [],
})
const meta = { caller: { kind: 'anonymous' }, requestId: 'r-1', timeoutMs: 30_000 } as const

/** What a producer may know about its reader, on either driver. Silence is detected after `idleTimeoutMs`. */
export function deliveredSuite(name: string, connect: () => Promise<Bus>, idleTimeoutMs: number): void {
  describe(`what a producer learns about delivery, on ${name}`, () => {
    let producer: Bus
    let reader: Bus

    beforeAll(async () => {
      producer = await connect()
      reader = await connect()
    })
    afterAll(async () => {
      await producer.close()
      if (reader !== producer) await reader.close()
    })

    /** Yields three chunks and records its progress; it sends the last one when the others have arrived. */
    const serve = async () => {
      const steps: string[] = []
      const began = Promise.withResolvers<StreamCall>()
      const over = Promise.withResolvers<void>()
      const served = producer.serveStream(tell, async function* (_, call) {
        began.resolve(call)
        try {
          yield { n: 1 }
          yield { n: 2 }
          steps.push('asked')
          await call.delivered()
          steps.push('delivered')
          yield { n: 3 }
        } catch (error) {
          steps.push((error as { kind: string }).kind)
          throw error
        } finally {
          over.resolve()
        }
      })
      await producer.settle()
      return { served, steps, began: began.promise, over: over.promise }
    }

    test('delivered() resolves only when the reader asks for more, and before anything more is sent', async () => {
      const { served, steps, over } = await serve()
      const stream = reader.stream(tell, {}, meta)
      expect(await stream.next()).toMatchObject({ value: { n: 1 } })
      await until('it asks', () => steps.includes('asked'))
      expect(await stream.next()).toMatchObject({ value: { n: 2 } })
      expect(steps).toEqual(['asked'])
      expect(await stream.next()).toMatchObject({ value: { n: 3 } })
      expect(steps).toEqual(['asked', 'delivered'])
      expect(await stream.next()).toMatchObject({ done: true })
      await over
      await served.stop(1_000)
    })

    test('delivered() waits until a forwarding reader has passed on its chunks', async () => {
      const { served, steps } = await serve()
      const written = Promise.withResolvers<void>()
      let isAsked = false
      const passedOn = () => {
        isAsked = true
        return written.promise
      }
      const stream = reader.stream(tell, {}, meta, { passedOn })
      await stream.next()
      await stream.next()
      const last = stream.next()
      await until('the reader is asked', () => isAsked)
      await producer.settle()
      expect(steps).toEqual(['asked'])
      written.resolve()
      expect(await last).toMatchObject({ value: { n: 3 } })
      await stream.return(undefined)
      await served.stop(1_000)
    })

    test('a slow reader that is alive is waited for longer than a dead one', async () => {
      const { served, steps, began } = await serve()
      const stream = reader.stream(tell, {}, meta)
      await stream.next()
      const { signal } = await began
      const since = performance.now()
      await until('a dead one would be given up', () => performance.now() - since > 3 * idleTimeoutMs)
      expect(signal.aborted).toBe(false)
      for (const n of [2, 3]) expect(await stream.next()).toMatchObject({ value: { n } })
      expect(steps).toEqual(['asked', 'delivered'])
      await stream.return(undefined)
      await served.stop(1_000)
    })

    test('a reader that leaves counts as cancelled, not lost, and delivered() says so', async () => {
      const { served, steps, began, over } = await serve()
      const gone = new AbortController()
      const stream = reader.stream(tell, {}, meta, { signal: gone.signal })
      await stream.next()
      await until('it asks', () => steps.includes('asked'))
      gone.abort()
      await over
      expect(steps).toEqual(['asked', 'cancelled'])
      expect(isReaderLost((await began).signal)).toBe(false)
      await served.stop(1_000)
    })

    test('a reader that leaves before its producer’s first message still cancels it', async () => {
      const gone = new AbortController()
      const began = Promise.withResolvers<AbortSignal>()
      const served = producer.serveStream(tell, async function* (_, { signal }) {
        began.resolve(signal)
        if (!signal.aborted)
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
        yield { n: 1 }
      })
      await producer.settle()
      const first = reader.stream(tell, {}, meta, { signal: gone.signal }).next()
      // The driver has the request; no part of its answer can have arrived.
      gone.abort()
      await expect(first).rejects.toMatchObject({ kind: 'cancelled' })
      const signal = await began.promise
      await until('the producer is told', () => signal.aborted)
      expect(signal.reason).toMatchObject({ kind: 'cancelled' })
      await served.stop(1_000)
    })
  })
}
