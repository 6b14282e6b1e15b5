import { setTimeout as wait } from 'node:timers/promises'
import { type EventEnvelope, event, operation, refusals } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Bus,
  BusFault,
  type BusSettings,
  type CallMeta,
  type DeadLetterSink,
  EventBatcher,
  type Served,
} from '../src/index.ts'

const echo = operation({
  id: 'suite.echo',
  summary: 'Says the same',
  timeoutMs: 2_000,
  input: z.object({ text: z.string(), waitMs: z.number().optional() }),
  output: z.object({ text: z.string(), who: z.string(), by: z.string().optional() }),
  errors: [refusals.notFound],
})
const unserved = operation({ ...echo, id: 'suite.unserved' })
const count = operation({
  id: 'suite.count',
  summary: 'Counts',
  timeoutMs: 20_000,
  stream: true,
  input: z.object({ to: z.number(), failAt: z.number().optional(), refuse: z.boolean().optional() }),
  output: z.object({ n: z.number() }),
  errors: [refusals.notFound],
})

const meta = (more: Partial<CallMeta> = {}): CallMeta => ({
  caller: { kind: 'anonymous' },
  requestId: 'r-1',
  timeoutMs: 2_000,
  ...more,
})

let serial = 0
/** Each test has an event of its own, so that consumers of one do not see the other's. */
const freshEvent = () => {
  serial += 1
  const noun = `suite${Date.now().toString(36)}${serial}`
  return event({
    id: `${noun}.happened`,
    version: 1,
    summary: 'Something happened',
    key: 'key',
    data: z.object({ key: z.string(), n: z.number() }),
  })
}

const envelope = (of: ReturnType<typeof freshEvent>, id: string, key: string, n: number): EventEnvelope => ({
  id,
  name: `${of.id}.v1`,
  key,
  sequence: n,
  source: 'suite',
  occurredAt: new Date().toISOString(),
  data: { key, n },
})

/** Redeliveries and heartbeats are fast here. */
export const SETTINGS = { backoff: [20, 40, 60], heartbeat: { everyMs: 40, idleTimeoutMs: 400 } } satisfies BusSettings

const GRACE_MS = 2_000

/**
 * The guarantees of both drivers. The settings' backoff must be `[20, 40, 60]`.
 * @param connect a bus; two calls give two members of the same bus
 */
export function busSuite(name: string, connect: () => Promise<Bus>): void {
  describe(`bus on ${name}`, () => {
    let bus: Bus
    let other: Bus

    beforeAll(async () => {
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
      bus = await connect()
      other = await connect()
    })
    afterAll(async () => {
      await bus.close()
      if (other !== bus) await other.close()
      context.disable()
    })

    const settled = async (on: Bus, served: Served): Promise<Served> => {
      await on.settle()
      return served
    }

    const serveEcho = (
      on: Bus,
      who: string,
      onCall?: (input: { waitMs?: number | undefined }, signal: AbortSignal) => Promise<void>,
    ) => {
      const served = on.serve(echo, async (input, call) => {
        if (input.text === 'throw') throw new Error('inside')
        if (input.text === 'refuse') return refuse('not_found', { message: 'No such text.' })
        await onCall?.(input, call.signal)
        return { text: input.text, who, by: call.caller.kind === 'api_key' ? call.caller.keyId : call.requestId }
      })
      return settled(on, served)
    }

    test('a request gets its answer, with caller and request id', async () => {
      const one = await serveEcho(bus, 'a')
      const caller = {
        kind: 'api_key' as const,
        owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const,
        keyId: 'k-1',
      }
      expect(await other.call(echo, { text: 'hé' }, meta({ caller }))).toEqual({ text: 'hé', who: 'a', by: 'k-1' })
      expect(await other.call(echo, { text: 'x' }, meta())).toMatchObject({ by: 'r-1' })
      await one.stop(GRACE_MS)
    })

    test('a refusal is returned as an answer', async () => {
      const one = await serveEcho(bus, 'a')
      expect(await bus.call(echo, { text: 'refuse' }, meta())).toEqual({
        refusal: 'not_found',
        message: 'No such text.',
      })
      await one.stop(GRACE_MS)
    })

    test('callEncoded: returns an output as the bytes of its JSON and a refusal as an object, and throws a fault', async () => {
      const one = await serveEcho(bus, 'a')
      const bytes = await other.callEncoded(echo, { text: 'hé 🙂' }, meta())
      expect(Buffer.from(bytes as Uint8Array).toString()).toBe('{"text":"hé 🙂","who":"a","by":"r-1"}')
      expect(await other.callEncoded(echo, { text: 'refuse' }, meta())).toEqual({
        refusal: 'not_found',
        message: 'No such text.',
      })
      await expect(other.callEncoded(echo, { text: 'throw' }, meta())).rejects.toMatchObject({ kind: 'remote' })
      await one.stop(GRACE_MS)
    })

    test('fault remote: the handler throws', async () => {
      const one = await serveEcho(bus, 'a')
      await expect(bus.call(echo, { text: 'throw' }, meta())).rejects.toMatchObject({
        kind: 'remote',
        retryable: false,
      })
      await one.stop(GRACE_MS)
    })

    test('fault unavailable: the handler calls what none serves, after it may have had an effect', async () => {
      const one = await serveEcho(bus, 'a', async () => void (await bus.call(unserved, { text: 'x' }, meta())))
      await expect(bus.call(echo, { text: 'x' }, meta())).rejects.toMatchObject({
        kind: 'unavailable',
        retryable: false,
      })
      await one.stop(GRACE_MS)
    })

    test('fault overloaded: the handler itself says so, and began nothing', async () => {
      const busy = new BusFault('overloaded', echo.id, 'another one works on it')
      const one = await serveEcho(bus, 'a', () => Promise.reject(busy))
      await expect(bus.call(echo, { text: 'x' }, meta())).rejects.toMatchObject({ kind: 'overloaded', retryable: true })
      await one.stop(GRACE_MS)
    })

    test('fault no_responder: raised at once, not at the deadline', async () => {
      const began = performance.now()
      await expect(bus.call(unserved, { text: 'x' }, meta())).rejects.toMatchObject({
        kind: 'no_responder',
        retryable: true,
      })
      expect(performance.now() - began).toBeLessThan(1_500)
    })

    test('fault deadline: the caller stops waiting, and the handler’s signal aborts', async () => {
      const aborted = Promise.withResolvers<void>()
      const one = await serveEcho(bus, 'a', async (_input, signal) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
        aborted.resolve()
      })
      await expect(bus.call(echo, { text: 'slow' }, meta({ timeoutMs: 60 }))).rejects.toMatchObject({
        kind: 'deadline',
      })
      await aborted.promise
      await one.stop(GRACE_MS)
    })

    test('a slow handler that is alive is waited for', async () => {
      const one = await serveEcho(bus, 'a', ({ waitMs }) => wait(waitMs))
      expect(await bus.call(echo, { text: 'x', waitMs: 1_200 }, meta({ timeoutMs: 10_000 }))).toMatchObject({
        text: 'x',
      })
      await one.stop(GRACE_MS)
    })

    test('an answer in time ends the deadline: the handler’s signal never aborts', async () => {
      let given: AbortSignal | undefined
      const one = await serveEcho(bus, 'a', async (_input, signal) => {
        given = signal
      })
      await bus.call(echo, { text: 'quick' }, meta({ timeoutMs: 250 }))
      await wait(300)
      expect(given?.aborted).toBe(false)
      await one.stop(GRACE_MS)
    })

    test('fault cancelled: the caller goes away', async () => {
      const one = await serveEcho(bus, 'a', ({ waitMs }) => wait(waitMs))
      const gone = new AbortController()
      const call = bus.call(echo, { text: 'x', waitMs: 500 }, meta(), gone.signal)
      gone.abort()
      await expect(call).rejects.toMatchObject({ kind: 'cancelled' })
      await one.stop(GRACE_MS)
    })

    test('fault too_large: a request exceeds the size of a message', async () => {
      const one = await serveEcho(bus, 'a')
      await expect(bus.call(echo, { text: 'x'.repeat(1024 * 1024) }, meta())).rejects.toMatchObject({
        kind: 'too_large',
      })
      await one.stop(GRACE_MS)
    })

    test('fault overloaded: the member already handles as many requests as it accepts', async () => {
      const release = Promise.withResolvers<void>()
      const one = bus.serve(
        echo,
        async (input) => {
          await release.promise
          return { text: input.text, who: 'a' }
        },
        1,
      )
      const first = bus.call(echo, { text: '1' }, meta())
      await expect(bus.call(echo, { text: '2' }, meta())).rejects.toMatchObject({ kind: 'overloaded', retryable: true })
      release.resolve()
      expect(await first).toMatchObject({ text: '1' })
      await one.stop(GRACE_MS)
    })

    test('members of a queue group share the requests; each is answered once', async () => {
      const members = [await serveEcho(bus, 'a'), await serveEcho(other, 'b')]
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) => bus.call(echo, { text: String(n) }, meta())),
      )
      expect(answers.map((answer) => ('text' in answer ? Number(answer.text) : -1))).toEqual(
        Array.from({ length: 60 }, (_, n) => n),
      )
      expect(new Set(answers.map((answer) => ('who' in answer ? answer.who : '')))).toEqual(new Set(['a', 'b']))
      await Promise.all(members.map((one) => one.stop(GRACE_MS)))
    })

    test('a stop finishes requests in flight and accepts no new ones', async () => {
      const begun = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      const one = await serveEcho(bus, 'a', async () => {
        begun.resolve()
        await release.promise
      })
      const call = bus.call(echo, { text: 'last' }, meta())
      await begun.promise
      const stopped = one.stop(GRACE_MS)
      release.resolve()
      expect(await call).toMatchObject({ text: 'last' })
      await stopped
      await expect(bus.call(echo, { text: 'late' }, meta())).rejects.toMatchObject({ kind: 'no_responder' })
    })

    test('the trace context travels with the request', async () => {
      const traceId = '0af7651916cd43dd8448eb211c80319c'
      const { W3CTraceContextPropagator } = await import('@opentelemetry/core')
      const { propagation } = await import('@opentelemetry/api')
      propagation.setGlobalPropagator(new W3CTraceContextPropagator())
      const seen = Promise.withResolvers<string | undefined>()
      const one = await serveEcho(bus, 'a', async () => seen.resolve(trace.getActiveSpan()?.spanContext().traceId))
      const parent = trace.setSpanContext(context.active(), { traceId, spanId: 'b7ad6b7169203331', traceFlags: 1 })
      await context.with(parent, () => bus.call(echo, { text: 'x' }, meta()))
      expect(await seen.promise).toBe(traceId)
      await one.stop(GRACE_MS)
      propagation.disable()
    })

    describe('streams', () => {
      const serveCount = (onSent?: (n: number) => void, onEnd?: () => void) => {
        const served = bus.serveStream(count, (input, call) => {
          if (input.refuse) return Promise.resolve(refuse('not_found'))
          return (async function* () {
            try {
              for (let n = 0; n < input.to; n += 1) {
                call.signal.throwIfAborted()
                if (n === input.failAt) throw new Error('inside')
                onSent?.(n)
                yield { n }
              }
            } finally {
              onEnd?.()
            }
          })()
        })
        return settled(bus, served)
      }
      const read = async (to: number, more: { failAt?: number; refuse?: boolean } = {}) => {
        const numbers: number[] = []
        for await (const chunk of other.stream(count, { to, ...more }, meta({ timeoutMs: 10_000 })))
          numbers.push(chunk.n)
        return numbers
      }

      test('every chunk arrives, in order', async () => {
        const one = await serveCount()
        expect(await read(500)).toEqual(Array.from({ length: 500 }, (_, n) => n))
        await one.stop(GRACE_MS)
      })

      test('a producer that throws ends the stream with a fault after its chunks', async () => {
        const one = await serveCount()
        await expect(read(10, { failAt: 5 })).rejects.toBeInstanceOf(BusFault)
        await one.stop(GRACE_MS)
      })

      test('fault overloaded: the member already produces as many streams as it accepts', async () => {
        const release = Promise.withResolvers<void>()
        const produce = async function* () {
          yield { n: 0 }
          await release.promise
        }
        const one = await settled(bus, bus.serveStream(count, produce, 1))
        const first = other.stream(count, { to: 1 }, meta())
        expect(await first.next()).toMatchObject({ value: { n: 0 } })
        await expect(read(1)).rejects.toMatchObject({ kind: 'overloaded', retryable: true })
        release.resolve()
        expect(await first.next()).toEqual({ done: true, value: undefined })
        await expect.poll(() => read(1).catch(() => [])).toEqual([0])
        await one.stop(GRACE_MS)
      })

      test('fault unavailable: the producer calls what none serves', async () => {
        const served = bus.serveStream(count, async function* (_input, _call) {
          yield { n: 0 }
          await bus.call(unserved, { text: 'x' }, meta())
        })
        const one = await settled(bus, served)
        await expect(read(2)).rejects.toMatchObject({ kind: 'unavailable', retryable: false })
        await one.stop(GRACE_MS)
      })

      test('a refusal takes the place of the first chunk', async () => {
        const one = await serveCount()
        const stream = other.stream(count, { to: 1, refuse: true }, meta())
        expect(await stream.next()).toEqual({ done: true, value: { refusal: 'not_found' } })
        await one.stop(GRACE_MS)
      })

      test('a slow reader makes the producer wait', async () => {
        let sent = 0
        const one = await serveCount((n) => {
          sent = n
        })
        const stream = other.stream(count, { to: 10_000 }, meta({ timeoutMs: 10_000 }))
        for (let taken = 0; taken < 20; taken += 1) await stream.next()
        await wait(50)
        expect(sent).toBeLessThan(100)
        await stream.return(undefined)
        await one.stop(GRACE_MS)
      })

      test('a reader that leaves stops the producer', async () => {
        const ended = Promise.withResolvers<void>()
        const one = await serveCount(undefined, () => ended.resolve())
        for await (const chunk of other.stream(count, { to: 1_000_000 }, meta({ timeoutMs: 10_000 }))) {
          if (chunk.n === 40) break
        }
        await ended.promise
        await one.stop(GRACE_MS)
      })

      test('fault no_responder: no process serves the stream', async () => {
        await expect(read(1)).rejects.toMatchObject({ kind: 'no_responder' })
      })
    })

    describe('events', () => {
      const consume = async (
        of: ReturnType<typeof freshEvent>,
        handle: (received: EventEnvelope) => Promise<void>,
        {
          on = bus,
          service = 'suite',
          deadLetter = async () => {},
        }: {
          on?: Bus
          service?: string
          deadLetter?: (dead: { reason: string; attempts: number; eventId: string }) => Promise<void>
        } = {},
      ) => {
        await on.events.prepare([{ service, event: of }])
        return on.events.consume({ service, event: of, handle, deadLetter })
      }
      const until = async (condition: () => boolean) => {
        const end = performance.now() + 8_000
        while (!condition()) {
          if (performance.now() > end) throw new Error('it did not come to that')
          await wait(5)
        }
      }

      test('each service gets each event once, on one of its members', async () => {
        const of = freshEvent()
        const got: string[] = []
        const all = await Promise.all([
          consume(of, async ({ id }) => void got.push(`a ${id}`), { service: 'a' }),
          consume(of, async ({ id }) => void got.push(`a ${id}`), { service: 'a', on: other }),
          consume(of, async ({ id }) => void got.push(`b ${id}`), { service: 'b' }),
        ])
        for (let n = 0; n < 10; n += 1) await bus.events.publish(envelope(of, `e${serial}-${n}`, 'k', n))
        await until(() => got.length >= 20)
        expect(new Set(got).size).toBe(20)
        expect(got).toHaveLength(20)
        await Promise.all(all.map((one) => one.stop(GRACE_MS)))
      })

      test('an event whose handler throws is delivered again later', async () => {
        const of = freshEvent()
        const at: number[] = []
        const one = await consume(of, async () => {
          at.push(performance.now())
          if (at.length < 3) throw new Error('not yet')
        })
        await bus.events.publish(envelope(of, `r${serial}`, 'k', 1))
        await until(() => at.length === 3)
        expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(15)
        await one.stop(GRACE_MS)
      })

      test('an event that always fails is dead-lettered, and the next one is delivered', async () => {
        const of = freshEvent()
        const deadLettered: { reason: string; attempts: number; eventId: string }[] = []
        const handled: number[] = []
        const one = await consume(
          of,
          async ({ data }) => {
            const { n } = data as { n: number }
            if (n === 1) throw new Error('poisonous')
            handled.push(n)
          },
          { deadLetter: async (dead) => void deadLettered.push(dead) },
        )
        const ids = [`p${serial}-1`, `p${serial}-2`] as const
        await Promise.all([
          bus.events.publish(envelope(of, ids[0], 'k', 1)),
          bus.events.publish(envelope(of, ids[1], 'k', 2)),
        ])
        await until(() => deadLettered.length === 1 && handled.length === 1)
        expect(deadLettered[0]).toMatchObject({ eventId: ids[0], reason: 'poisonous', attempts: 4 })
        await one.stop(GRACE_MS)
      })

      test('an event is not given up while a store is unavailable, however long, and is handled afterwards', async () => {
        const of = freshEvent()
        const deadLettered: string[] = []
        let attempts = 0
        const one = await consume(
          of,
          async () => {
            attempts += 1
            if (attempts <= 12) throw new BusFault('unavailable', 'evt.suite', 'Postgres is gone')
          },
          { deadLetter: async ({ eventId }) => void deadLettered.push(eventId) },
        )
        const publish = () => bus.events.publish(envelope(of, `u${serial}`, 'k', 1))
        // Within one process it stays with its sender, which sends it again.
        while (
          await publish().then(
            () => false,
            () => true,
          )
        );
        await until(() => attempts === 13 || deadLettered.length > 0)
        expect(deadLettered).toEqual([])
        await one.stop(GRACE_MS)
      })

      test('an event with data of another shape is dead-lettered at once', async () => {
        const of = freshEvent()
        const deadLettered: { attempts: number }[] = []
        const one = await consume(of, async () => {}, { deadLetter: async (dead) => void deadLettered.push(dead) })
        await bus.events.publish({ ...envelope(of, `s${serial}`, 'k', 1), data: { key: 'k', n: 'seven' } })
        await until(() => deadLettered.length === 1)
        expect(deadLettered[0]?.attempts).toBe(1)
        await one.stop(GRACE_MS)
      })

      test('events of one key are handled one after another, in order', async () => {
        const of = freshEvent()
        const order: number[] = []
        let atOnce = 0
        const one = await consume(of, async ({ data }) => {
          atOnce += 1
          expect(atOnce).toBe(1)
          await wait(1)
          order.push((data as { n: number }).n)
          atOnce -= 1
        })
        const numbers = Array.from({ length: 20 }, (_, n) => n)
        await Promise.all(numbers.map((n) => bus.events.publish(envelope(of, `o${serial}-${n}`, 'k', n))))
        await until(() => order.length === 20)
        expect(order).toEqual(numbers)
        await one.stop(GRACE_MS)
      })

      test('a stop finishes the event being handled', async () => {
        const of = freshEvent()
        const begun = Promise.withResolvers<void>()
        const release = Promise.withResolvers<void>()
        let done = false
        const one = await consume(of, async () => {
          begun.resolve()
          await release.promise
          done = true
        })
        const published = bus.events.publish(envelope(of, `f${serial}`, 'k', 1))
        await begun.promise
        const stopped = one.stop(GRACE_MS)
        release.resolve()
        await stopped
        expect(done).toBe(true)
        await published
      })

      describe('in batches', () => {
        type Batch = readonly EventEnvelope[]
        const numbers = (batch: Batch) => batch.map(({ data }) => (data as { n: number }).n)

        /** Consumers of several events that share a batcher. */
        const consumeBatches = async (
          events: readonly ReturnType<typeof freshEvent>[],
          handle: (batch: Batch) => Promise<void>,
          { lingerMs = 100, deadLetter = async () => {} }: { lingerMs?: number; deadLetter?: DeadLetterSink } = {},
        ) => {
          const batcher = new EventBatcher({ lingerMs, handle })
          await bus.events.prepare(events.map((event) => ({ service: 'suite', event })))
          const all = await Promise.all(
            events.map((event) => {
              const alone = (envelope: EventEnvelope) => handle([envelope])
              return bus.events.consume({ service: 'suite', event, handle: alone, deadLetter, batcher })
            }),
          )
          return { stop: async () => void (await Promise.all(all.map((one) => one.stop(GRACE_MS)))) }
        }
        const publish = (of: ReturnType<typeof freshEvent>, keys: readonly string[]) =>
          Promise.all(keys.map((key, n) => bus.events.publish(envelope(of, `g${serial}-${of.id}-${n}`, key, n))))

        test('waiting events, even of several kinds, arrive as one batch in the order of their keys', async () => {
          const [one, two] = [freshEvent(), freshEvent()]
          const batches: Batch[] = []
          const consumer = await consumeBatches([one, two], async (batch) => void batches.push(batch))
          await Promise.all([publish(one, ['a', 'b', 'a', 'a']), publish(two, ['a', 'b'])])
          await until(() => batches.flat().length === 6)
          expect(batches).toHaveLength(1)
          const ofOne = batches.flat().filter(({ name, key }) => name === `${one.id}.v1` && key === 'a')
          expect(numbers(ofOne)).toEqual([0, 2, 3])
          await consumer.stop()
        })

        test('a single event waits no longer than the consumer’s linger time', async () => {
          const of = freshEvent()
          const batches: Batch[] = []
          const consumer = await consumeBatches([of], async (batch) => void batches.push(batch), { lingerMs: 0 })
          const began = performance.now()
          await publish(of, ['a'])
          await until(() => batches.length === 1)
          expect(performance.now() - began).toBeLessThan(1_000)
          await consumer.stop()
        })

        test('more events than a batch holds arrive in several batches, one after another', async () => {
          const of = freshEvent()
          const sizes: number[] = []
          let atOnce = 0
          const consumer = await consumeBatches([of], async (batch) => {
            atOnce += 1
            expect(atOnce).toBe(1)
            await wait(5)
            sizes.push(batch.length)
            atOnce -= 1
          })
          await publish(
            of,
            Array.from({ length: 150 }, (_, n) => `k${n}`),
          )
          await until(() => sizes.reduce((sum, size) => sum + size, 0) === 150)
          expect(Math.max(...sizes)).toBeLessThanOrEqual(64)
          expect(sizes.length).toBeLessThan(10)
          await consumer.stop()
        })

        test('an event that always fails is dead-lettered alone; the others of its batch are handled once', async () => {
          const of = freshEvent()
          const handled: number[] = []
          const dead: { attempts: number; reason: string }[] = []
          const consumer = await consumeBatches(
            [of],
            async (batch) => {
              if (numbers(batch).includes(2)) throw new Error('poisonous')
              handled.push(...numbers(batch))
            },
            { deadLetter: async (letter) => void dead.push(letter) },
          )
          await publish(of, ['a', 'b', 'c', 'd', 'e'])
          await until(() => dead.length === 1 && handled.length === 4)
          expect(handled.toSorted()).toEqual([0, 1, 3, 4])
          expect(dead).toMatchObject([{ reason: 'poisonous', attempts: 4 }])
          await consumer.stop()
        })

        test('an event with data of another shape is dead-lettered at once, and the others arrive together', async () => {
          const of = freshEvent()
          const batches: Batch[] = []
          const dead: { attempts: number }[] = []
          const consumer = await consumeBatches([of], async (batch) => void batches.push(batch), {
            deadLetter: async (letter) => void dead.push(letter),
          })
          const bad = { ...envelope(of, `gs${serial}`, 'x', 1), data: { key: 'x', n: 'seven' } }
          await Promise.all([publish(of, ['a', 'b', 'c']), bus.events.publish(bad)])
          await until(() => dead.length === 1 && batches.flat().length === 3)
          expect(dead).toMatchObject([{ attempts: 1 }])
          expect(batches).toHaveLength(1)
          await consumer.stop()
        })

        test('a stop hands over the events of an unfinished batch', async () => {
          const of = freshEvent()
          const batches: Batch[] = []
          const consumer = await consumeBatches([of], async (batch) => void batches.push(batch), { lingerMs: 60_000 })
          const published = publish(of, ['a', 'b', 'c'])
          if (name === 'nats') await published
          await wait(50)
          expect(batches).toEqual([])
          await consumer.stop()
          expect(batches.map(numbers)).toEqual([[0, 1, 2]])
          await published
        })
      })
    })
  })
}
