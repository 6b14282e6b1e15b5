import { expect, test } from 'vitest'
import { freshness, groupAt, groupRank, trust } from './ranking.ts'

const conformance = { declaredVersion: 2, versionConformant: true, offerTransport: 'header' as const, issues: [] }
const week = (uptime7d: number, checks7d: number) => ({ uptime7d, checks7d, latencyP50Ms: 1, latencyP95Ms: 2 })
const usage = { volumeRank: 10 }
const evidence = { verification: 'verified' as const, liveness: week(1, 100), conformance, usage }

test('groups rank in the order of the directory', () => {
  expect(['svc', 'added', 'partner', 'external'].map((group) => groupRank(group as 'svc'))).toEqual([0, 1, 2, 3])
  expect(groupAt(2)).toBe('partner')
})

test('error: no group has another rank', () => {
  expect(() => groupAt(4)).toThrow(RangeError)
})

test.each([
  ['everything there is to show', evidence, 1000],
  [
    'nothing',
    {
      verification: 'none',
      liveness: week(0, 0),
      conformance: { ...conformance, versionConformant: false },
      usage: { volumeRank: 0 },
    },
    0,
  ],
  ['a review that was only asked for', { ...evidence, verification: 'requested' }, 700],
  ['half the week down', { ...evidence, liveness: week(0.5, 100) }, 850],
  ['six checks of the twenty-four that count in full', { ...evidence, liveness: week(1, 6) }, 775],
  ['a dollar of volume where there were hundreds', { ...evidence, usage: { volumeRank: 1 } }, 820],
  ['an issue', { ...evidence, conformance: { ...conformance, issues: ['no_extra'] } }, 950],
  ['another version than declared', { ...evidence, conformance: { ...conformance, versionConformant: false } }, 800],
] as const)('trust of %s', (_what, shown, expected) => {
  expect(trust(shown as unknown as typeof evidence)).toBe(expected)
})

test('freshness rises once per quarter of an hour, and is 0 for an endpoint that was never up', () => {
  const quarter = Date.parse('2026-11-20T12:15:00Z')
  expect(freshness(quarter + 899_999)).toBe(freshness(quarter))
  expect(freshness(quarter + 900_000)).toBe(freshness(quarter) + 1)
  expect(freshness(undefined)).toBe(0)
})
