import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillSteps, windowOf } from './range.ts'

const NOW = Date.parse('2026-11-20T12:30:00Z')
const HOUR = 3_600_000
const iso = (ms?: number) => ms !== undefined && new Date(ms).toISOString()

describe('windowOf', () => {
  test.each([
    ['24h', HOUR, 25, '2026-11-19T12:30', '2026-11-19T12:00', '2026-11-20T12:00'],
    ['7d', 6 * HOUR, 29, '2026-11-13T12:30', '2026-11-13T12:00', '2026-11-20T12:00'],
    ['30d', 24 * HOUR, 31, '2026-10-21T12:30', '2026-10-21T00:00', '2026-11-20T00:00'],
  ] as const)('%s: has steps of %i ms, %i in all', (range, stepMs, count, since, first, last) => {
    const window = windowOf(range, NOW)
    expect(window.stepMs).toBe(stepMs)
    expect(window.starts).toHaveLength(count)
    expect([iso(window.since.getTime()), iso(window.starts[0]), iso(window.starts.at(-1))]).toEqual(
      [since, first, last].map((time) => `${time}:00.000Z`),
    )
  })

  test('behavior: at the beginning of a step, that step is present and still empty', () => {
    const { since, starts } = windowOf('24h', Date.parse('2026-11-20T12:00:00Z'))
    expect(starts).toHaveLength(25)
    expect(starts[0]).toBe(since.getTime())
    expect(iso(starts.at(-1))).toBe('2026-11-20T12:00:00.000Z')
  })

  test('behavior: the first step holds the start of the window, the last one holds now, and no step is missing', () => {
    const now = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2100-01-01') })
    fc.assert(
      fc.property(fc.constantFrom('24h', '7d', '30d'), now, (range, nowMs) => {
        const { since, starts, stepMs } = windowOf(range, nowMs)
        const [first = 0, last = 0] = [starts[0], starts.at(-1)]
        expect(since.getTime() - first).toBeGreaterThanOrEqual(0)
        expect(since.getTime() - first).toBeLessThan(stepMs)
        expect(nowMs - last).toBeGreaterThanOrEqual(0)
        expect(nowMs - last).toBeLessThan(stepMs)
        expect(starts.every((start, at) => start === first + at * stepMs && start % stepMs === 0)).toBe(true)
      }),
    )
  })
})

const surviving = { count: 1, volumeUsd: '0.1' }

test('fillSteps: returns one sum per step in order, with zeros where nothing happened', () => {
  const window = windowOf('24h', NOW)
  const sums = [
    { start: new Date('2026-11-20T12:00:00Z'), calls: 2, volumeUsd: '0.2', surviving },
    { start: new Date('2026-11-19T12:00:00Z'), calls: 1, volumeUsd: '0.1', surviving },
    { start: new Date('2026-11-19T11:00:00Z'), calls: 9, volumeUsd: '9', surviving },
  ]
  const steps = fillSteps(window, sums)
  expect(steps).toHaveLength(25)
  expect(steps[0]).toEqual({ start: '2026-11-19T12:00:00.000Z', calls: 1, volumeUsd: '0.1', surviving })
  expect(steps[1]).toEqual({
    start: '2026-11-19T13:00:00.000Z',
    calls: 0,
    volumeUsd: '0',
    surviving: { count: 0, volumeUsd: '0' },
  })
  expect(steps[24]).toEqual({ start: '2026-11-20T12:00:00.000Z', calls: 2, volumeUsd: '0.2', surviving })
  expect(steps.reduce((calls, step) => calls + step.calls, 0)).toBe(3)
})
