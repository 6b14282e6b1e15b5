import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterwards,
  asked,
  type Breaker,
  CLOSED,
  FAILURES,
  isReady,
  KEY_PAUSE_MS,
  LONGEST_RETRY_AFTER_MS,
  type Outcome,
  PAUSE,
  WINDOW,
} from './breaker.ts'

const NOW = 1_795_339_800_000
const answered: Outcome = { kind: 'answered' }
const failed: Outcome = { kind: 'failed' }
const keyRefused: Outcome = { kind: 'key_refused' }

const happens = (breaker: Breaker, outcomes: readonly Outcome[], now = NOW, chance = 0): Breaker =>
  outcomes.reduce((state, outcome) => afterwards(state, outcome, { now, chance }), breaker)
const times = (count: number, outcome: Outcome) => Array.from({ length: count }, () => outcome)
const opened = happens(CLOSED, times(FAILURES, failed))

describe('a closed breaker', () => {
  test('opens after failures in a row', () => {
    expect(happens(CLOSED, times(FAILURES - 1, failed))).toMatchObject({ status: 'closed', failures: FAILURES - 1 })
    expect(opened).toMatchObject({ status: 'open', until: NOW + PAUSE.firstMs })
  })

  test('forgets failures in a row with an answer', () => {
    const four = times(FAILURES - 1, failed)
    expect(happens(CLOSED, [...four, answered, ...four]).status).toBe('closed')
  })

  test('opens when half of what was asked fails, and not before enough was asked', () => {
    const pairs = Array.from({ length: WINDOW.asked / 2 - 1 }, () => [answered, failed]).flat()
    const before = happens(CLOSED, pairs)
    expect(before.status).toBe('closed')
    expect(happens(before, [answered, failed]).status).toBe('open')
    expect(happens(before, [answered, failed], NOW + WINDOW.ms).status).toBe('closed')
  })

  test('opens when answers break off, though each began as one', () => {
    const broken = Array.from({ length: WINDOW.asked }, (): Outcome[] => [answered, { kind: 'broken' }]).flat()
    expect(happens(CLOSED, broken).status).toBe('open')
  })

  test('opens at once for a key that is refused, and for as long as nobody changes it', () => {
    expect(happens(CLOSED, [keyRefused])).toMatchObject({ status: 'open', until: NOW + KEY_PAUSE_MS })
  })

  test('opens where the model is missing, and not where one request was answered so', () => {
    const missing: Outcome = { kind: 'model_missing' }
    expect(happens(CLOSED, [missing, answered, missing]).status).toBe('closed')
    expect(happens(CLOSED, times(FAILURES, missing))).toMatchObject({ status: 'open', until: NOW + PAUSE.firstMs })
  })

  test('opens for long where all is forbidden, and not where one request was', () => {
    const forbidden: Outcome = { kind: 'forbidden' }
    expect(happens(CLOSED, [forbidden, answered, forbidden]).status).toBe('closed')
    expect(happens(CLOSED, times(FAILURES, forbidden))).toMatchObject({ status: 'open', until: NOW + KEY_PAUSE_MS })
  })

  test.each([
    ['what it says', 20_000, 20_000],
    ['no less than a first pause', 0, PAUSE.firstMs],
    ['no more than a minute', 86_400_000, LONGEST_RETRY_AFTER_MS],
  ])('opens at once where the upstream says when to come back: %s', (_name, retryAfterMs, pause) => {
    expect(happens(CLOSED, [{ kind: 'unavailable', retryAfterMs }])).toMatchObject({ until: NOW + pause })
  })

  test('learns nothing from what we broke off', () => {
    expect(happens(CLOSED, times(50, { kind: 'abandoned' }))).toEqual(CLOSED)
  })
})

describe('an open breaker', () => {
  test('is tried by one call when its pause is over', () => {
    const { until } = opened
    expect(isReady(opened, until - 1)).toBe(false)
    expect(asked(opened, until - 1)).toBe(opened)
    expect(isReady(opened, until)).toBe(true)
    const trying = asked(opened, until)
    expect(trying.status).toBe('trying')
    expect(isReady(trying, until + KEY_PAUSE_MS)).toBe(false)
  })

  test('closes when the trial is answered, and opens for twice as long when it fails, up to the longest pause', () => {
    let breaker = opened
    const lengths: number[] = []
    for (let trial = 0; trial < 7; trial += 1) {
      const now = breaker.until
      expect(happens(asked(breaker, now), [answered], now)).toEqual(CLOSED)
      breaker = happens(asked(breaker, now), [failed], now)
      lengths.push(breaker.until - now)
    }
    expect(lengths).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  })

  test('may be tried again at once when the trial was broken off by us', () => {
    const now = opened.until
    const breaker = happens(asked(opened, now), [{ kind: 'abandoned' }], now)
    expect([breaker.status, isReady(breaker, now)]).toEqual(['open', true])
  })

  test('closes when a call that had nowhere else to go is answered', () => {
    expect(happens(opened, [answered])).toEqual(CLOSED)
  })

  test('never stays open for longer than a key is refused, also when the clock is set back', () => {
    expect(isReady(happens(CLOSED, [keyRefused]), NOW - 3_600_000)).toBe(true)
  })

  test('is tried at another time by each replica', () => {
    const ends = [0, 0.5, 0.999].map((chance) => happens(CLOSED, times(FAILURES, failed), NOW, chance).until - NOW)
    expect(ends).toEqual([1_000, 900, expect.closeTo(800, 0)])
  })
})

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constantFrom<Outcome>(
    ...(['answered', 'failed', 'forbidden', 'model_missing', 'broken', 'key_refused', 'abandoned'] as const).map(
      (kind) => ({ kind }),
    ),
  ),
  fc.nat(10 ** 9).map((retryAfterMs) => ({ kind: 'unavailable' as const, retryAfterMs })),
)

test('whatever happens, an answer closes it, and no pause is longer than the one for a key', () => {
  const step = fc.record({ outcome, later: fc.nat(60_000), chance: fc.double({ min: 0, max: 0.999, noNaN: true }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let now = NOW
      let breaker = CLOSED
      for (const { outcome: what, later, chance } of steps) {
        now += later
        breaker = afterwards(asked(breaker, now), what, { now, chance })
        expect(breaker.until - now).toBeLessThanOrEqual(KEY_PAUSE_MS)
        expect(breaker.status).not.toBe('trying')
      }
      const last = afterwards(asked(breaker, now), answered, { now, chance: 0 })
      expect(last.status).toBe('closed')
    }),
  )
})
