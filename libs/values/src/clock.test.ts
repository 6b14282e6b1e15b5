import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from './index.ts'

afterEach(() => void vi.useRealTimers())

test('the system clock is the machine’s, in milliseconds', () => {
  vi.useFakeTimers({ now: 1_800_000_000_123 })
  expect(systemClock.now()).toBe(1_800_000_000_123)
  vi.advanceTimersByTime(7)
  expect(systemClock.now()).toBe(1_800_000_000_130)
})
