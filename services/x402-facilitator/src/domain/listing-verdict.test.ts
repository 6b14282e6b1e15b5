import { DAY_MS, HOUR_MS, MINUTE_MS } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { afterProbe, KEPT_MS, type ListingState, type Met, nextDue } from './listing-verdict.ts'

const UNKNOWN: ListingState = { isListed: false, unlistedBecause: 'not_probed', failedProbes: 0 }
const LISTED: ListingState = { isListed: true, unlistedBecause: null, failedProbes: 0 }
const met = (more: Partial<Met> = {}): Met => ({
  state: 'ok_402',
  offers: true,
  isSettled: true,
  isTaken: false,
  isFull: false,
  ...more,
})
const failed = (state: Met['state']) => met({ state, offers: false, isSettled: false })

describe('afterProbe', () => {
  test('default: an offer on terms that were settled lists the resource', () => {
    expect(afterProbe(UNKNOWN, met())).toEqual(LISTED)
    expect(afterProbe({ ...UNKNOWN, unlistedBecause: 'no_offer', failedProbes: 3 }, met())).toEqual(LISTED)
  })

  test.each([UNKNOWN, LISTED])(
    'behavior: an offer that pays someone else lists nothing, and ends a listing',
    (seen) => {
      expect(afterProbe(seen, met({ isSettled: false }))).toEqual({ ...UNKNOWN, unlistedBecause: 'pays_another' })
    },
  )

  test('behavior: a name can be listed only once', () => {
    expect(afterProbe(UNKNOWN, met({ isTaken: true }))).toEqual({ ...UNKNOWN, unlistedBecause: 'same_resource' })
    expect(afterProbe(LISTED, met({ isTaken: true }))).toEqual({ ...UNKNOWN, unlistedBecause: 'same_resource' })
  })

  test('behavior: a site lists only so many, and keeps those that it lists', () => {
    expect(afterProbe(UNKNOWN, met({ isFull: true }))).toEqual({ ...UNKNOWN, unlistedBecause: 'site_full' })
    expect(afterProbe(LISTED, met({ isFull: true }))).toEqual(LISTED)
  })

  test('behavior: the payee is checked before the name', () => {
    const seen = afterProbe(UNKNOWN, met({ isSettled: false, isTaken: true }))
    expect(seen).toEqual({ ...UNKNOWN, unlistedBecause: 'pays_another' })
  })

  test.each(['open', 'blocked_before_gate', 'ok_402_no_accepts', 'mpp', 'refused_target', 'redirect'] as const)(
    'behavior: %s ends a listing at once',
    (state) => {
      expect(afterProbe(LISTED, failed(state))).toEqual({ ...UNKNOWN, unlistedBecause: 'no_offer', failedProbes: 1 })
    },
  )

  test.each(['timeout', 'unreachable', 'server_error', 'dns', 'tls'] as const)(
    'behavior: %s ends a listing at the third failure in a row',
    (state) => {
      const once = afterProbe(LISTED, failed(state))
      expect(once).toEqual({ ...LISTED, failedProbes: 1 })
      expect(afterProbe(once, met())).toEqual(LISTED)
      const twice = afterProbe(once, failed(state))
      expect(twice.isListed).toBe(true)
      expect(twice).toEqual({ ...LISTED, failedProbes: 2 })
      expect(afterProbe(twice, failed(state))).toEqual({
        isListed: false,
        unlistedBecause: 'no_offer',
        failedProbes: 3,
      })
      expect(afterProbe(UNKNOWN, failed(state))).toEqual({
        isListed: false,
        unlistedBecause: 'no_offer',
        failedProbes: 1,
      })
    },
  )

  test('behavior: a rate limit says nothing about a listing, and does not count as a failure of it', () => {
    const once = { ...LISTED, failedProbes: 1 }
    expect(afterProbe(LISTED, failed('rate_limited'))).toEqual(LISTED)
    expect(afterProbe(once, failed('rate_limited'))).toEqual(once)
    expect(afterProbe(UNKNOWN, failed('rate_limited'))).toMatchObject({ isListed: false, failedProbes: 1 })
  })
})

describe('nextDue', () => {
  const NOW = 20 * DAY_MS
  const due = (listing: ListingState, state: Met['state']) => nextDue(listing, state, NOW, HOUR_MS)
  const notRead = (failedProbes: number): ListingState => ({
    isListed: false,
    unlistedBecause: 'no_offer',
    failedProbes,
  })

  test('default: one interval later while it is listed', () => expect(due(LISTED, 'ok_402')).toBe(NOW + HOUR_MS))

  test('behavior: twice more after a temporary failure, then only when it is paid for again', () => {
    expect(due(notRead(1), 'timeout')).toBe(NOW + MINUTE_MS)
    expect(due(notRead(2), 'rate_limited')).toBe(NOW + 10 * MINUTE_MS)
    expect(due(notRead(3), 'timeout')).toBeNull()
  })

  test('behavior: a permanent answer is not probed again without a payment', () => {
    expect(due(notRead(1), 'blocked_before_gate')).toBeNull()
    expect(due({ ...UNKNOWN, unlistedBecause: 'pays_another' }, 'ok_402')).toBeNull()
  })

  test('behavior: never later than the interval', () => {
    expect(nextDue(notRead(2), 'timeout', NOW, 5 * MINUTE_MS)).toBe(NOW + 5 * MINUTE_MS)
  })

  test('behavior: a resource without a failed probe waits for its next payment', () => {
    expect(due(UNKNOWN, 'rate_limited')).toBeNull()
  })

  test.each(['timeout', 'unreachable', 'server_error', 'dns', 'tls', 'rate_limited'] as const)(
    'behavior: %s is temporary',
    (state) => expect(due(notRead(1), state)).toBe(NOW + 60_000),
  )
})

test('KEPT_MS: a resource is shown for thirty days after its last payment', () => {
  expect(KEPT_MS).toBe(2_592_000_000)
})
