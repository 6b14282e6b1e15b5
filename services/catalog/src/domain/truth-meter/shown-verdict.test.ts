import { expect, test } from 'vitest'
import { shownVerdict } from './shown-verdict.ts'

const SUSPICIONS = [
  { pattern: 'dust', evidence: { calls: 10 } },
  { pattern: 'self_pay', evidence: { calls: 4, wallet: '0xa' } },
] as const
const SUNDAY = new Date(Date.UTC(2026, 10, 29, 23, 59))

test('a call shows its own patterns, each with its reason, what lifts it and the end of the week', () => {
  const reason = '10 of the seller’s calls in two weeks are below the smallest amount that counts.'
  const lifts = 'A payment of at least that amount is not dust.'
  const shown = [{ pattern: 'dust', reason, lifts, until: '2026-11-30T00:00:00.000Z' }]
  expect(shownVerdict(16, SUSPICIONS, SUNDAY)).toEqual(shown)
})

test('all patterns of a call are shown, and none that only its edge has', () => {
  expect(shownVerdict(17, SUSPICIONS, SUNDAY).map(({ pattern }) => pattern)).toEqual(['dust', 'self_pay'])
  expect(shownVerdict(0, SUSPICIONS, SUNDAY)).toEqual([])
})
