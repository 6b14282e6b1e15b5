import { isoTime, MINUTE_MS } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { type Giving, needsFreshSignature } from './fresh-signature.ts'

const NOW = Date.UTC(2026, 10, 22)
const signed = (agoMs: number) => ({ signedInAt: isoTime(NOW - agoMs) })
const QUARTER_MS = 15 * MINUTE_MS

const HEAVY: [string, Giving][] = [
  ['listings may be published', { scopes: ['mcp:call', 'call.publish'] }],
  ['a device is trusted', { scopes: ['mcp:call'], trustsDevice: true }],
  ['a cent more than 20 USD a day', { scopes: ['router.use'], allowanceUsd: 20.01 }],
]

describe('needsFreshSignature', () => {
  test.each(HEAVY)('default: after a quarter of an hour, where %s', (_what, giving) => {
    expect(needsFreshSignature(signed(QUARTER_MS + 1), giving, NOW)).toBe(true)
    expect(needsFreshSignature({}, giving, NOW)).toBe(true)
  })

  test.each(HEAVY)('behavior: not within a quarter of an hour, where %s', (_what, giving) => {
    expect(needsFreshSignature(signed(QUARTER_MS), giving, NOW)).toBe(false)
    expect(needsFreshSignature(signed(-MINUTE_MS), giving, NOW)).toBe(false)
  })

  test('behavior: never for less than that', () => {
    const light: Giving = { scopes: ['mcp:call', 'router.use'], allowanceUsd: 20, trustsDevice: false }
    expect(needsFreshSignature({}, light, NOW)).toBe(false)
  })
})
