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
  OUTCOMES,
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

test('the bounds are 5 failures in a row, half of at least 20 in 30 s, and pauses of 1 to 30 s, a minute, and 5 minutes', () => {
  expect([FAILURES, WINDOW, PAUSE]).toEqual([
    5,
    { ms: 30_000, asked: 20, share: 0.5 },
    { firstMs: 1_000, longestMs: 30_000, jitter: 0.2 },
  ])
  expect([LONGEST_RETRY_AFTER_MS, KEY_PAUSE_MS]).toEqual([60_000, 300_000])
})

describe('the state after each outcome', () => {
  const told = (kind: Outcome['kind']): Outcome =>
    kind === 'unavailable' ? { kind, retryAfterMs: 20_000 } : { kind: kind as 'answered' }
  /** The status after each outcome, and how long it stays open. */
  const ends = (breaker: Breaker) =>
    Object.fromEntries(
      OUTCOMES.map((kind) => {
        const { status, until } = happens(breaker, [told(kind)])
        return [kind, status === 'open' ? until - NOW : status]
      }),
    )

  test('of a closed breaker: a single failure keeps it closed, an explicit signal from the upstream opens it', () => {
    expect(ends(CLOSED)).toEqual({
      ...{ answered: 'closed', failed: 'closed', forbidden: 'closed', model_missing: 'closed', broken: 'closed' },
      ...{ unavailable: 20_000, key_refused: 300_000, abandoned: 'closed' },
    })
  })

  test('of an open breaker: an answer closes it, failures keep its pause, a signal from the upstream sets it', () => {
    const open: Breaker = { ...CLOSED, status: 'open', until: NOW + 7, openings: 3 }
    expect(ends(open)).toEqual({
      ...{ answered: 'closed', failed: 7, forbidden: 7, model_missing: 7, broken: 7 },
      ...{ unavailable: 20_000, key_refused: 300_000, abandoned: 7 },
    })
    expect(happens(open, [{ kind: 'failed' }])).toBe(open)
  })

  test('of a breaker on trial: an answer closes it, a failure opens it for longer than before', () => {
    const trying: Breaker = { ...CLOSED, status: 'trying', until: NOW + 100_000, openings: 3 }
    expect(ends(trying)).toEqual({
      ...{ answered: 'closed', failed: 8_000, forbidden: 8_000, model_missing: 8_000, broken: 8_000 },
      ...{ unavailable: 20_000, key_refused: 300_000, abandoned: 0 },
    })
    expect(happens(trying, [failed]).openings).toBe(4)
    expect(happens(trying, [{ kind: 'abandoned' }]).openings).toBe(3)
  })

  test('of an open breaker: no signal from the upstream shortens its pause', () => {
    const open: Breaker = { ...CLOSED, status: 'open', until: NOW + 200_000 }
    expect(happens(open, [told('unavailable')]).until).toBe(NOW + 200_000)
  })
})

describe('what a closed breaker counts', () => {
  const broken: Outcome = { kind: 'broken' }

  test('a broken answer neither adds to the failures in a row nor resets them', () => {
    const four = happens(CLOSED, times(4, failed))
    expect(happens(four, [broken])).toMatchObject({
      ...{ status: 'closed', failures: 4 },
      window: { since: NOW, asked: 4, failed: 5 },
    })
    expect(happens(four, [broken, failed]).status).toBe('open')
  })

  test('an answer never opens it, however bad the window is', () => {
    const bad: Breaker = { ...CLOSED, failures: 2, window: { since: NOW, asked: 19, failed: 15 } }
    expect(happens(bad, [answered])).toMatchObject({ status: 'closed', failures: 0, window: { asked: 20, failed: 15 } })
    expect(happens(bad, [failed]).status).toBe('open')
  })

  test('a window with less than half failures does not open it', () => {
    const window = { since: NOW, asked: 20, failed: 9 }
    expect(happens({ ...CLOSED, window }, [failed])).toMatchObject({
      status: 'closed',
      window: { asked: 21, failed: 10 },
    })
    expect(happens({ ...CLOSED, window: { ...window, failed: 10 } }, [failed]).status).toBe('open')
  })

  test('a new window begins with the first outcome after thirty seconds', () => {
    const window = { since: NOW, asked: 10, failed: 5 }
    expect(happens({ ...CLOSED, window }, [answered], NOW + 29_999).window).toEqual({
      since: NOW,
      asked: 11,
      failed: 5,
    })
    expect(happens({ ...CLOSED, window }, [answered], NOW + 30_000).window).toEqual({
      ...{ since: NOW + 30_000, asked: 1, failed: 0 },
    })
  })
})

describe('a closed breaker', () => {
  test('opens after enough failures in a row', () => {
    expect(happens(CLOSED, times(FAILURES - 1, failed))).toMatchObject({ status: 'closed', failures: FAILURES - 1 })
    expect(opened).toMatchObject({ status: 'open', until: NOW + PAUSE.firstMs })
  })

  test('resets its failures in a row on an answer', () => {
    const four = times(FAILURES - 1, failed)
    expect(happens(CLOSED, [...four, answered, ...four]).status).toBe('closed')
  })

  test('opens when half of the requests fail, but only after enough requests', () => {
    const pairs = Array.from({ length: WINDOW.asked / 2 - 1 }, () => [answered, failed]).flat()
    const before = happens(CLOSED, pairs)
    expect(before.status).toBe('closed')
    expect(happens(before, [answered, failed]).status).toBe('open')
    expect(happens(before, [answered, failed], NOW + WINDOW.ms).status).toBe('closed')
  })

  test('opens when answers break off, even though each one began', () => {
    const broken = Array.from({ length: WINDOW.asked }, (): Outcome[] => [answered, { kind: 'broken' }]).flat()
    expect(happens(CLOSED, broken).status).toBe('open')
  })

  test('opens at once, for KEY_PAUSE_MS, when the key is refused', () => {
    expect(happens(CLOSED, [keyRefused])).toMatchObject({ status: 'open', until: NOW + KEY_PAUSE_MS })
  })

  test('opens when every request finds the model missing, not when a single one does', () => {
    const missing: Outcome = { kind: 'model_missing' }
    expect(happens(CLOSED, [missing, answered, missing]).status).toBe('closed')
    expect(happens(CLOSED, times(FAILURES, missing))).toMatchObject({ status: 'open', until: NOW + PAUSE.firstMs })
  })

  test('opens as for any failure when every request is forbidden, not when a single one is: clients can cause that', () => {
    const forbidden: Outcome = { kind: 'forbidden' }
    expect(happens(CLOSED, [forbidden, answered, forbidden]).status).toBe('closed')
    expect(happens(CLOSED, times(FAILURES, forbidden))).toMatchObject({ status: 'open', until: NOW + PAUSE.firstMs })
  })

  test.each([
    ['what it says', 20_000, 20_000],
    ['no less than a first pause', 0, PAUSE.firstMs],
    ['no more than a minute', 86_400_000, LONGEST_RETRY_AFTER_MS],
  ])('opens at once when the upstream says when to come back: %s', (_name, retryAfterMs, pause) => {
    expect(happens(CLOSED, [{ kind: 'unavailable', retryAfterMs }])).toMatchObject({ until: NOW + pause })
  })

  test('ignores calls that we abort', () => {
    expect(happens(CLOSED, times(50, { kind: 'abandoned' }))).toEqual(CLOSED)
  })
})

describe('an open breaker', () => {
  test('is tried by a single call when its pause is over', () => {
    const { until } = opened
    expect(isReady(opened, until - 1)).toBe(false)
    expect(asked(opened, until - 1)).toBe(opened)
    expect(isReady(opened, until)).toBe(true)
    const trying = asked(opened, until)
    expect(trying.status).toBe('trying')
    expect(isReady(trying, until + KEY_PAUSE_MS)).toBe(false)
  })

  test('closes when the trial is answered; when it fails, opens for twice as long, up to the longest pause', () => {
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

  test('may be tried again at once when we abort the trial', () => {
    const now = opened.until
    const breaker = happens(asked(opened, now), [{ kind: 'abandoned' }], now)
    expect([breaker.status, isReady(breaker, now)]).toEqual(['open', true])
  })

  test('closes when a call that had no other upstream is answered', () => {
    expect(happens(opened, [answered])).toEqual(CLOSED)
  })

  test('never stays open longer than the pause for a refused key, even when the clock is set back', () => {
    expect(isReady(happens(CLOSED, [keyRefused]), NOW - 3_600_000)).toBe(true)
  })

  test('is tried at once when a clock set back makes the remaining pause longer than any pause', () => {
    const breaker: Breaker = { ...CLOSED, status: 'open', until: NOW + 300_000 }
    expect([isReady(breaker, NOW), isReady(breaker, NOW - 1)]).toEqual([false, true])
  })

  test('a closed one is always ready, and asking it does not change it', () => {
    const closed: Breaker = { ...CLOSED, until: NOW + 1, failures: 3 }
    expect(isReady(closed, NOW)).toBe(true)
    expect(asked(closed, NOW)).toBe(closed)
  })

  test('is tried at a different time by each replica', () => {
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

test('in any sequence of outcomes, an answer closes it, and no pause exceeds the one for a refused key', () => {
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
