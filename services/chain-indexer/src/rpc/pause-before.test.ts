import { describe, expect, test } from 'vitest'
import { pauseBefore } from './pause-before.ts'
import { PROVIDER_FAULTS, ProviderError, type ProviderFault } from './provider-error.ts'

const pauses = (fault: ProviderFault, retryAfterMs?: number) =>
  [1, 2, 3].map((attempt) => pauseBefore(new ProviderError(fault, 'no', { retryAfterMs }), attempt))

describe('pauseBefore', () => {
  test.each(['unreachable', 'http', 'garbage'] as const)(
    'default: %s can be transient, so there are three attempts',
    (fault) => {
      expect(pauses(fault)).toEqual([100, 200, undefined])
    },
  )

  test('behavior: a fault that is not transient is not retried', () => {
    const byChance: readonly ProviderFault[] = ['unreachable', 'http', 'garbage']
    const others = PROVIDER_FAULTS.filter((fault) => !byChance.includes(fault))
    expect(others).toHaveLength(6)
    for (const fault of others) expect(pauses(fault)).toEqual([undefined, undefined, undefined])
  })

  test.each(['rate_limited', 'http'] as const)(
    'behavior: %s: waits as long as the provider asks, unless that is too long',
    (fault) => {
      expect(pauses(fault, 2_000)).toEqual([2_000, 2_000, undefined])
      expect(pauses(fault, 2_001)).toEqual([undefined, undefined, undefined])
    },
  )
})
