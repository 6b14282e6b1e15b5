import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { atWholeSecond } from './whole-second.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], now: 0 }))
afterEach(() => vi.useRealTimers())

test('waits that end in the same second wake in one turn, by one timer', async () => {
  const woken: string[] = []
  atWholeSecond(2_000, () => woken.push('first'))
  await vi.advanceTimersByTimeAsync(990)
  atWholeSecond(1_000, () => woken.push('second'))
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_009)
  expect(woken).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(woken).toEqual(['first', 'second'])
})

test('behavior: a loop that waits a second after each run wakes every second, however long its runs take', async () => {
  const at: number[] = []
  const run = () => {
    at.push(performance.now())
    if (at.length < 4) setTimeout(() => atWholeSecond(1_000, run), 30)
  }
  atWholeSecond(1_000, run)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(at).toEqual([1_000, 2_000, 3_000, 4_000])
})

test('a cancelled wait wakes no one, and leaves other waits of its second alone', async () => {
  const woken: string[] = []
  const end = atWholeSecond(1_000, () => woken.push('ended'))
  atWholeSecond(1_000, () => woken.push('other'))
  end()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(woken).toEqual(['other'])
})

test('cancelling the last wait clears the timer; cancelling twice or too late does nothing', async () => {
  const end = atWholeSecond(1_000, () => {})
  end()
  end()
  expect(vi.getTimerCount()).toBe(0)
  const woken: string[] = []
  const late = atWholeSecond(1_000, () => woken.push('late'))
  await vi.advanceTimersByTimeAsync(1_000)
  late()
  atWholeSecond(1_000, () => woken.push('next'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(woken).toEqual(['late', 'next'])
})
