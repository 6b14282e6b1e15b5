import { describe, expect, test } from 'vitest'
import { costCache } from './cost-cache.ts'

/** A clock that each making advances by the time it takes. */
function making() {
  const clock = { ms: 0 }
  let made = 0
  const taking = (ms: number) => async () => {
    clock.ms += ms
    made += 1
    return made
  }
  return { clock, keep: costCache<number>(() => clock.ms), taking }
}

describe('costCache', () => {
  test('default: a result that takes 100 ms is cached for five seconds after it was made', async () => {
    const { clock, keep, taking } = making()
    expect(await keep('a', taking(100))).toBe(1)
    clock.ms += 4_999
    expect(await keep('a', taking(100))).toBe(1)
    expect(await keep('b', taking(100))).toBe(2)
    clock.ms += 1
    expect(await keep('a', taking(100))).toBe(3)
  })

  test('default: a result that takes less is made for every caller', async () => {
    const { keep, taking } = making()
    expect(await keep('a', taking(99))).toBe(1)
    expect(await keep('a', taking(99))).toBe(2)
  })

  test('behavior: a result that has become cheap is no longer cached', async () => {
    const { clock, keep, taking } = making()
    await keep('a', taking(100))
    clock.ms += 5_000
    expect(await keep('a', taking(1))).toBe(2)
    expect(await keep('a', taking(1))).toBe(3)
  })

  test('behavior: callers that ask while a result is being made wait for the same one', async () => {
    const { keep, taking } = making()
    expect(await Promise.all([keep('a', taking(1)), keep('a', taking(1)), keep('b', taking(1))])).toEqual([1, 1, 2])
  })

  test('behavior: a failed result is not cached', async () => {
    const { clock, keep, taking } = making()
    const failing = async () => {
      clock.ms += 1_000
      throw new Error('unavailable')
    }
    await expect(keep('a', failing)).rejects.toThrow('unavailable')
    expect(await keep('a', taking(1))).toBe(1)
  })

  test('behavior: the last thousand results are cached', async () => {
    const { clock, keep, taking } = making()
    const over = Promise.withResolvers<number>()
    const all = Array.from({ length: 1_001 }, (_, at) => keep(String(at), () => over.promise))
    clock.ms += 100
    over.resolve(7)
    await Promise.all(all)
    expect(await keep('1', taking(1))).toBe(7)
    expect(await keep('0', taking(1))).toBe(1)
  })
})
