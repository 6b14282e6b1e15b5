import { describe, expect, test } from 'vitest'
import { gcraAhead, type Rate } from './counters.ts'
import { TakesAhead } from './takes-ahead.ts'

/** Ten a second. */
const RATE: Rate = { burst: 100, perMinute: 600 }

/** One server and the processes that take from it, on one clock. */
function world(processes = 1) {
  let now = 5_000
  const arrivals = new Map<string, number>()
  const asked: number[] = []
  const takes = Array.from(
    { length: processes },
    () =>
      new TakesAhead(
        async (key, rate, cost, ahead) => {
          if (cost > 0) asked.push(cost)
          const taken = gcraAhead(rate, now, arrivals.get(key), { cost, ahead })
          if (taken.verdict.allowed) arrivals.set(key, now + taken.lead)
          return taken
        },
        () => now,
      ),
  )
  return {
    asked,
    pass: (ms: number) => {
      now += ms
    },
    take: (rate: Rate = RATE, cost = 1, process = 0) => (takes[process] as TakesAhead).take('key', rate, cost),
  }
}

/** @returns how many of `count` takes were allowed, `everyMs` apart */
async function allowed(
  { take, pass }: ReturnType<typeof world>,
  { count, everyMs, rate = RATE, processes = 1 }: { count: number; everyMs: number; rate?: Rate; processes?: number },
): Promise<number> {
  let yes = 0
  for (let n = 0; n < count; n += 1) {
    if ((await take(rate, 1, n % processes)).allowed) yes += 1
    pass(everyMs)
  }
  return yes
}

describe('takes ahead', () => {
  test('most takes of a busy key need no answer from the server', async () => {
    const here = world()
    expect(await allowed(here, { count: 90, everyMs: 110 })).toBe(90)
    expect(here.asked.length).toBeLessThan(20)
  })

  test('the first take of a key, and one a second later, are asked one by one', async () => {
    const here = world()
    expect(await allowed(here, { count: 5, everyMs: 2_000 })).toBe(5)
    expect(here.asked).toEqual([1, 1, 1, 1, 1])
  })

  test('a burst is allowed exactly, whatever was taken ahead', async () => {
    const here = world()
    expect(await allowed(here, { count: 300, everyMs: 0 })).toBe(100)
    expect((await here.take()).retryAfterSeconds).toBe(1)
  })

  test('what is left is told as if nothing had been taken ahead', async () => {
    const here = world()
    const left: number[] = []
    for (let n = 0; n < 12; n += 1) left.push((await here.take()).remaining)
    expect(left).toEqual([99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88])
  })

  test('no rate that refills slower than one a second is taken ahead', async () => {
    const here = world()
    const rate = { burst: 100, perMinute: 59 }
    expect(await allowed(here, { count: 40, everyMs: 1, rate })).toBe(40)
    expect(here.asked).toHaveLength(40)
  })

  test('nothing is taken ahead once half of the burst is used', async () => {
    const here = world()
    await here.take(RATE, 50)
    const before = here.asked.length
    await allowed(here, { count: 20, everyMs: 0 })
    expect(here.asked).toHaveLength(before + 20)
  })

  test('several processes together allow at most what refills in a second beyond the rate', async () => {
    for (const everyMs of [1, 7, 33, 90]) {
      const here = world(3)
      const count = Math.floor(60_000 / everyMs)
      const yes = await allowed(here, { count, everyMs, processes: 3 })
      expect(yes).toBeGreaterThanOrEqual(Math.min(count, RATE.burst + RATE.perMinute - 1))
      expect(yes).toBeLessThanOrEqual(RATE.burst + RATE.perMinute + RATE.perMinute / 60)
    }
  })

  test('what processes took ahead, one after the other and long ago, adds nothing to a burst', async () => {
    for (let before = 8; before < 14; before += 1) {
      const here = world(10)
      for (let process = 0; process < 10; process += 1) {
        for (let n = 0; n < before; n += 1) {
          await here.take(RATE, 1, process)
          here.pass(100)
        }
        here.pass(60_000)
      }
      expect(await allowed(here, { count: 300, everyMs: 0, processes: 10 })).toBe(RATE.burst)
    }
  })

  test('what was taken ahead and not used is returned with the next question', async () => {
    const here = world()
    await allowed(here, { count: 12, everyMs: 10 })
    here.pass(1_500)
    const { remaining } = await here.take()
    expect(remaining).toBe(99)
  })

  test('units taken ahead are not used after a second', async () => {
    const here = world()
    await allowed(here, { count: 3, everyMs: 0 })
    const before = here.asked.length
    here.pass(1_000)
    await here.take()
    expect(here.asked).toHaveLength(before + 1)
  })

  test('an excess that is returned is used by the next takes', async () => {
    const here = world()
    const tokens = { burst: 60_000, perMinute: 60_000 }
    for (let n = 0; n < 20; n += 1) {
      expect((await here.take(tokens, 400)).allowed).toBe(true)
      expect((await here.take(tokens, -380)).allowed).toBe(true)
    }
    expect((await here.take(tokens, 20)).remaining).toBe(60_000 - 21 * 20)
    expect(here.asked.length).toBeLessThan(12)
  })

  test('an excess of a take for which nothing was given ahead is returned in full', async () => {
    const here = world()
    const tokens = { burst: 6_000, perMinute: 60_000 }
    for (let n = 0; n < 2; n += 1) await here.take(tokens, 20)
    await here.take(tokens, 3_500)
    await here.take(tokens, -900)
    expect((await here.take(tokens, 1_000)).remaining).toBe(6_000 - 40 - 2_600 - 1_000)
  })

  test('a refused take loses nothing that was taken ahead', async () => {
    const here = world()
    await allowed(here, { count: 10, everyMs: 0 })
    const { remaining } = await here.take()
    expect((await here.take(RATE, 95)).allowed).toBe(false)
    expect((await here.take(RATE, remaining)).allowed).toBe(true)
    expect((await here.take()).allowed).toBe(false)
  })
})
