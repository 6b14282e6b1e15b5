import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, SpendingPolicy, type Spent } from './policy.ts'

const policy = SpendingPolicy.parse({ perCallUsd: '0.10', perHourUsd: '0.25', perDayUsd: '1' })
const HOUR = 3_600_000
const NOW = 1_800_000_000_000
const payTo = `0x${'Ab'.repeat(20)}`
const asked = (amount: bigint, more: object = {}) => ({ network: 'eip155:8453', payTo, amount, ...more })
const spent = (amount: bigint, agoMs: number): Spent => ({ amount, at: NOW - agoMs })

describe('decide', () => {
  test.each([
    ['to the unit', 100_000n, [], true],
    ['a unit above what one call may cost', 100_001n, [], false],
    ['to the unit of the hour', 50_000n, [spent(200_000n, HOUR - 1)], true],
    ['a unit above the hour', 50_001n, [spent(200_000n, HOUR - 1)], false],
    ['when the hour is over', 100_000n, [spent(200_000n, HOUR)], true],
    ['above the day', 100_000n, [spent(910_000n, 23 * HOUR)], false],
    ['when the day is over', 100_000n, [spent(910_000n, 24 * HOUR)], true],
  ] as const)('%s', (_when, amount, before, pay) => {
    expect(decide(policy, before, asked(amount), NOW).pay).toBe(pay)
  })

  test('recipients match by address, in any spelling', () => {
    const denied = SpendingPolicy.parse({ denyRecipients: [payTo.toLowerCase()] })
    const allowed = SpendingPolicy.parse({ allowRecipients: [payTo.toUpperCase().replace('0X', '0x')] })
    expect(decide(denied, [], asked(1n), NOW).pay).toBe(false)
    expect(decide(allowed, [], asked(1n), NOW).pay).toBe(true)
    expect(decide(allowed, [], asked(1n, { payTo: `0x${'1'.repeat(40)}` }), NOW).pay).toBe(false)
  })

  test('payments on unlisted networks are refused', () => {
    const base = SpendingPolicy.parse({ networks: ['eip155:8453'] })
    expect(decide(base, [], asked(1n), NOW).pay).toBe(true)
    expect(decide(base, [], asked(1n, { network: 'eip155:5042' }), NOW).pay).toBe(false)
  })

  test('no sequence of payments exceeds the limit of any hour or day', () => {
    const payment = fc.record({
      waitMs: fc.integer({ min: 0, max: 2 * HOUR }),
      amount: fc.bigInt({ min: 0n, max: 150_000n }),
    })
    fc.assert(
      fc.property(fc.array(payment, { maxLength: 60 }), (payments) => {
        const made: Spent[] = []
        let now = NOW
        for (const { waitMs, amount } of payments) {
          now += waitMs
          if (decide(policy, made, asked(amount), now).pay) made.push({ at: now, amount })
        }
        for (const { at: end } of made) {
          const within = (ms: number) =>
            made.filter(({ at }) => at <= end && end - at < ms).reduce((sum, { amount }) => sum + amount, 0n)
          expect(within(HOUR)).toBeLessThanOrEqual(policy.perHourUsd)
          expect(within(24 * HOUR)).toBeLessThanOrEqual(policy.perDayUsd)
        }
      }),
    )
  })
})

test.each([
  ['a negative amount', { perCallUsd: '-1' }],
  ['an amount that is no text', { perCallUsd: 1 }],
  ['seven decimals', { perCallUsd: '0.0000001' }],
  ['an amount with a zero before it', { perCallUsd: '01' }],
  ['a recipient that is no address', { allowRecipients: ['alice'] }],
  ['a limit that is misspelt', { perMinuteUsd: '1' }],
])('a policy with %s is refused', (_what, text) => {
  expect(SpendingPolicy.safeParse(text).success).toBe(false)
})
