import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counters, consumeNonce, issueNonce } from '../src/index.ts'

/**
 * The guarantees of every store of counters.
 * @param open a connection of its own to the same counters, for each call
 */
export function countersSuite(name: string, open: () => Counters): void {
  describe(`counters in ${name}`, () => {
    let counters: Counters
    let beside: Counters
    const key = () => `suite:${randomUUID()}`

    beforeAll(() => {
      counters = open()
      beside = open()
    })
    afterAll(async () => {
      await counters.close()
      await beside.close()
    })

    test('a rate allows its burst at once, then refuses and says when to retry', async () => {
      const rate = { burst: 3, perMinute: 60 }
      const at = key()
      const verdicts = [await counters.take(at, rate), await beside.take(at, rate), await counters.take(at, rate)]
      expect(verdicts.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [true, 2],
        [true, 1],
        [true, 0],
      ])
      expect(await beside.take(at, rate)).toMatchObject({
        allowed: false,
        limit: 3,
        remaining: 0,
        retryAfterSeconds: 1,
      })
    })

    test('a rate grants a larger take whole or not at all, and accepts refunds up to its burst', async () => {
      const rate = { burst: 100, perMinute: 6 }
      const at = key()
      expect(await counters.take(at, rate, 90)).toMatchObject({ allowed: true, remaining: 10 })
      expect(await beside.take(at, rate, 11)).toMatchObject({ allowed: false, remaining: 10, retryAfterSeconds: 10 })
      expect(await beside.take(at, rate, -60)).toMatchObject({ allowed: true, remaining: 70 })
      expect(await counters.take(at, rate, 70)).toMatchObject({ allowed: true, remaining: 0 })
      expect(await counters.take(at, rate, -1_000)).toMatchObject({ allowed: true, remaining: 100 })
    })

    test('a peek says what a take would, without taking', async () => {
      const rate = { burst: 2, perMinute: 6 }
      const at = key()
      for (let n = 0; n < 3; n += 1)
        expect(await counters.peek(at, rate)).toMatchObject({ allowed: true, remaining: 1 })
      await counters.take(at, rate)
      await beside.take(at, rate)
      expect(await beside.peek(at, rate)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 10 })
    })

    test('a rate allows exactly its burst of many simultaneous takes', async () => {
      const at = key()
      const verdicts = await Promise.all(
        Array.from({ length: 50 }, (_, n) => (n % 2 ? counters : beside).take(at, { burst: 10, perMinute: 1 })),
      )
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10)
    })

    test('simultaneous takes are each counted by their own key and rate, in order', async () => {
      const keys = Array.from({ length: 80 }, key)
      const takes = [...keys, ...keys].map((at) =>
        counters.take(at, { burst: 2 + (keys.indexOf(at) % 3), perMinute: 1 }),
      )
      const left = (await Promise.all(takes)).map(({ remaining }) => remaining)
      expect(left.slice(0, 80)).toEqual(keys.map((_, place) => 1 + (place % 3)))
      expect(left.slice(80)).toEqual(keys.map((_, place) => place % 3))
    })

    test('a busy key is allowed its burst, and at most what refills in a second beyond it', async () => {
      const at = key()
      const perSecond = 20
      const rate = { burst: 300, perMinute: perSecond * 60 }
      const began = performance.now()
      let allowed = 0
      for (let n = 0; n < 450; n += 1) {
        const verdict = await (n % 2 ? counters : beside).take(at, rate)
        expect(verdict.remaining).toBeLessThan(rate.burst)
        if (verdict.allowed) allowed += 1
      }
      const refilled = ((performance.now() - began) / 1_000) * perSecond
      expect(allowed).toBeGreaterThanOrEqual(rate.burst)
      expect(allowed).toBeLessThanOrEqual(Math.ceil(rate.burst + refilled + perSecond))
    })

    test('an excess that a busy key returns is allowed to it again', async () => {
      const at = key()
      const rate = { burst: 60_000, perMinute: 60_000 }
      for (let n = 0; n < 100; n += 1) {
        expect(await counters.take(at, rate, 900)).toMatchObject({ allowed: true })
        expect(await counters.take(at, rate, -900)).toMatchObject({ allowed: true })
      }
      expect(await counters.take(at, rate, 50_000)).toMatchObject({ allowed: true })
    })

    test('a rate refills evenly', async () => {
      const at = key()
      const rate = { burst: 1, perMinute: 600 }
      expect((await counters.take(at, rate)).allowed).toBe(true)
      expect((await counters.take(at, rate)).allowed).toBe(false)
      await wait(110)
      expect((await counters.take(at, rate)).allowed).toBe(true)
    })

    test('a key that is farther ahead than a whole burst, as after a clock was set back, waits for no more than that', async () => {
      const at = key()
      const [larger, rate] = [
        { burst: 100, perMinute: 1 },
        { burst: 1, perMinute: 600 },
      ]
      expect((await counters.take(at, larger, 100)).allowed).toBe(true)
      expect(await counters.peek(at, rate)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
      expect(await counters.take(at, rate)).toMatchObject({ allowed: false, retryAfterSeconds: 1, resetSeconds: 1 })
      await wait(110)
      expect((await beside.take(at, rate)).allowed).toBe(true)
    })

    test('exactly one of many simultaneous puts of a key succeeds', async () => {
      const at = key()
      const puts = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? counters : beside).putOnce(at, String(n), 5_000)),
      )
      expect(puts.filter(Boolean)).toHaveLength(1)
    })

    test('exactly one of many simultaneous takers of a value gets it', async () => {
      const at = key()
      await counters.putOnce(at, 'v', 5_000)
      const got = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? counters : beside).getAndDelete(at)))
      expect(got.filter((value) => value === 'v')).toHaveLength(1)
    })

    test('a value expires after its time to live', async () => {
      const at = key()
      await counters.putOnce(at, 'v', 30)
      await wait(60)
      expect(await beside.getAndDelete(at)).toBeUndefined()
    })

    test('a raised number never falls', async () => {
      const at = key()
      expect(await counters.number(at)).toBeUndefined()
      expect(await counters.raise(at, 7, 5_000)).toBe(7)
      expect(await beside.raise(at, 3, 5_000)).toBe(7)
      expect(await beside.number(at)).toBe(7)
      await Promise.all(Array.from({ length: 20 }, (_, n) => counters.raise(at, n, 5_000)))
      expect(await beside.number(at)).toBe(19)
    })

    test('a nonce serves its own purpose only, and once', async () => {
      const { nonce } = await issueNonce(counters, 'login', Date.now())
      expect(await consumeNonce(beside, 'link', nonce)).toBe(false)
      expect(await consumeNonce(beside, 'login', nonce)).toBe(true)
      expect(await consumeNonce(counters, 'login', nonce)).toBe(false)
    })
  })
}
