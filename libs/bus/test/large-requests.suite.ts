import { operation } from '@callboard/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Bus, BusFault, type Served } from '../src/index.ts'

const LIMIT = 8_000_000

/** Two of the largest requests at once. */
export const LARGE = { largeRequestsBytes: 2 * (LIMIT + 64 * 1024) }
const shape = {
  timeoutMs: 30_000,
  maxRequestBytes: LIMIT,
  input: z.object({ text: z.string() }),
  output: z.object({ length: z.number(), last: z.string() }),
  errors: [],
} as const
const measure = operation({ ...shape, id: 'suite.measure', summary: 'Says how long a text is' })
const measureStreamed = operation({
  ...shape,
  id: 'suite.measureStreamed',
  summary: 'The same, streamed',
  stream: true,
})
const meta = { caller: { kind: 'anonymous' }, requestId: 'r-1', timeoutMs: 30_000 } as const

/** A text whose request has exactly this many bytes. */
const textOf = (bytes: number, end = 'é') =>
  'x'.repeat(bytes - Buffer.byteLength(JSON.stringify({ input: { text: end } }))) + end

/**
 * Requests larger than one message, on either driver.
 * @param connect a bus with the settings of `LARGE`
 */
export function largeRequestsSuite(name: string, connect: () => Promise<Bus>): void {
  describe(`large requests on ${name}`, () => {
    let responder: Bus
    let asker: Bus
    let serving: Served[] = []
    const told = ({ text }: { text: string }) => ({ length: text.length, last: text.slice(-1) })

    beforeAll(async () => {
      responder = await connect()
      asker = await connect()
    })
    afterEach(async () => {
      await Promise.all(serving.map((one) => one.stop(2_000)))
      serving = []
    })
    afterAll(async () => {
      await asker.close()
      if (asker !== responder) await responder.close()
    })

    const answered = async (op: typeof measure | typeof measureStreamed, text: string) => {
      if (op === measure) return asker.call(measure, { text }, meta)
      for await (const chunk of asker.stream(measureStreamed, { text }, meta)) return chunk
      return undefined
    }
    const serve = async (work = async (input: { text: string }) => told(input)) => {
      const served = [
        responder.serve(measure, work),
        responder.serveStream(measureStreamed, async function* (input) {
          yield await work(input)
        }),
      ]
      serving.push(...served)
      await responder.settle()
    }

    test.each([measure, measureStreamed])('$id: a request of exactly the limit arrives whole', async (op) => {
      await serve()
      const text = textOf(LIMIT)
      expect(await answered(op, text)).toEqual({ length: text.length, last: 'é' })
    })

    test.each([measure, measureStreamed])('$id: fault too_large above the limit and its envelope', async (op) => {
      await serve()
      await expect(answered(op, textOf(LIMIT + 64 * 1024 + 1))).rejects.toMatchObject({ kind: 'too_large' })
    })

    test('forty at once are each answered or refused as overloaded, and later ones are accepted again', async () => {
      await serve()
      const all = await Promise.allSettled(
        Array.from({ length: 40 }, (_, n) =>
          answered(n % 2 ? measure : measureStreamed, textOf(LIMIT, String(n % 10))),
        ),
      )
      const whole = all.flatMap((one, n) => (one.status === 'fulfilled' ? [{ n, answer: one.value }] : []))
      for (const { n, answer } of whole) expect(answer).toMatchObject({ last: String(n % 10) })
      const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as BusFault] : []))
      for (const reason of refused) expect(reason).toMatchObject({ kind: 'overloaded', retryable: true })
      expect(whole.length).toBeGreaterThanOrEqual(2)
      expect(refused.length).toBeGreaterThan(0)
      expect(await answered(measure, textOf(LIMIT))).toMatchObject({ last: 'é' })
    })

    test('a request counts against the memory limit until it is answered', async () => {
      const release = Promise.withResolvers<void>()
      let begun = 0
      const bothBegun = Promise.withResolvers<void>()
      await serve(async (input) => {
        begun += 1
        if (begun === 2) bothBegun.resolve()
        await release.promise
        return told(input)
      })
      const two = [measure, measureStreamed].map((op) => answered(op, textOf(LIMIT)))
      await bothBegun.promise
      for (const op of [measure, measureStreamed])
        await expect(answered(op, textOf(2_000_000))).rejects.toMatchObject({ kind: 'overloaded' })
      const small = answered(measure, 'small')
      release.resolve()
      expect(await Promise.all([...two, small])).toHaveLength(3)
    })

    test('fault no_responder: a responder of a release without large requests receives none', async () => {
      const { maxRequestBytes: _, ...before } = measure
      const served = responder.serve(before, async (input) => told(input))
      serving.push(served)
      await responder.settle()
      await expect(asker.call(measure, { text: textOf(LIMIT) }, meta)).rejects.toMatchObject({ kind: 'no_responder' })
      expect(await asker.call(measure, { text: 'small' }, meta)).toMatchObject({ last: 'l' })
    })

    test.each([measure, measureStreamed])('$id: a caller that leaves stops the transfer', async (op) => {
      await serve()
      const gone = new AbortController()
      const text = textOf(LIMIT)
      const asked =
        op === measure
          ? asker.call(measure, { text }, meta, gone.signal)
          : asker.stream(measureStreamed, { text }, meta, { signal: gone.signal }).next()
      gone.abort()
      await expect(asked).rejects.toBeInstanceOf(BusFault)
      // Its memory is freed once it is given up.
      const taken = Array.from({ length: 3 }, () => answered(measure, textOf(LIMIT)).catch(() => undefined))
      expect((await Promise.all(taken)).some((answer) => answer !== undefined)).toBe(true)
    })
  })
}
