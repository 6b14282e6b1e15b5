import { isoTime, MINUTE_MS } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { FRESH_SIGNATURE, type Giving, needsFreshSignature, refuseStaleSignature } from './fresh-signature.ts'
import { oauth } from './operations/index.ts'
import { operations } from './registry.ts'

const NOW = Date.UTC(2026, 10, 22)
const signed = (agoMs: number) => ({ signedInAt: isoTime(NOW - agoMs) })
const QUARTER_MS = 15 * MINUTE_MS

const HEAVY: [string, Giving][] = [
  ['listings may be published', { scopes: ['mcp:call', 'call.publish'] }],
  ['a device is trusted', { scopes: ['mcp:call'], trustsDevice: true }],
  ['the Router may be used, whatever its daily limit', { scopes: ['router.use'], dailyUsd: { before: 0, after: 0 } }],
  ['a cent more than 20 USD a day', { dailyUsd: { before: 0, after: 20.01 } }],
  ['a cent that is the first above 20 USD in sum', { dailyUsd: { before: 20, after: 20.01 } }],
]
const LIGHT: [string, Giving][] = [
  ['20 USD a day', { scopes: ['mcp:call'], dailyUsd: { before: 0, after: 20 }, trustsDevice: false }],
  ['less than before', { dailyUsd: { before: 400, after: 399.99 } }],
  ['as much as before', { dailyUsd: { before: 400, after: 400 } }],
  ['nothing of this', {}],
]

describe('needsFreshSignature', () => {
  test.each(HEAVY)('default: is true after a quarter of an hour, where %s', (_what, giving) => {
    expect(needsFreshSignature(signed(QUARTER_MS + 1), giving, NOW)).toBe(true)
    expect(needsFreshSignature({}, giving, NOW)).toBe(true)
  })

  test.each(HEAVY)('behavior: is false within a quarter of an hour, where %s', (_what, giving) => {
    expect(needsFreshSignature(signed(QUARTER_MS), giving, NOW)).toBe(false)
    expect(needsFreshSignature(signed(-MINUTE_MS), giving, NOW)).toBe(false)
  })

  test.each(LIGHT)('behavior: is never true for %s', (_what, giving) => {
    expect(needsFreshSignature({}, giving, NOW)).toBe(false)
  })
})

describe('refuseStaleSignature', () => {
  test('default: says how old a signature may be, and a credential needs a fresh one whatever its terms', () => {
    const refusal = { refusal: 'fresh_signature_required', details: { maxAgeSeconds: 900 } }
    expect(refuseStaleSignature(oauth.createKey, signed(QUARTER_MS + 1), NOW)).toEqual(refusal)
    expect(refuseStaleSignature(oauth.createKey, signed(QUARTER_MS), NOW)).toBeUndefined()
    expect(refuseStaleSignature(oauth.decideAuthorization, {}, NOW, { scopes: ['call.publish'] })).toEqual(refusal)
    expect(refuseStaleSignature(oauth.decideAuthorization, {}, NOW, { scopes: ['mcp:call'] })).toBeUndefined()
  })
})

describe('FRESH_SIGNATURE', () => {
  const takesSession = [...operations.values()].filter(({ http, errors }) =>
    http ? http.auth === 'session' : errors.some(({ code }) => code === 'unauthorized'),
  )
  const demands: Readonly<Record<string, string>> = FRESH_SIGNATURE

  test('has a decision for every operation that a session may call, and for no other', () => {
    expect(Object.keys(demands).sort()).toEqual(takesSession.map(({ id }) => id).sort())
  })

  test.each(takesSession.map((op) => [op.id, op] as const))(
    '%s declares the refusal exactly if it can demand a fresh signature',
    (id, op) => {
      const declares = op.errors.some(({ code }) => code === 'fresh_signature_required')
      expect(declares).toBe(demands[id] !== 'never')
    },
  )
})
