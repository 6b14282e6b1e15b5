import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Asked, covers, type TrustUse } from './terms.ts'

const trusted = { scopes: ['mcp:call', 'router.use'] as const, allowanceUsd: '5.00' }
const unused: TrustUse = { allowanceUsd: '0', spentUsd: [], hourly: { ofDevice: 0, ofOwner: 0 } }
const caps = { ofDevice: 3, ofOwner: 5 }

describe('covers', () => {
  test.each<[string, Asked]>([
    ['less than all of it', { scopes: ['mcp:call'], allowanceUsd: undefined }],
    ['exactly what is trusted', { scopes: ['mcp:call', 'router.use'], allowanceUsd: 5 }],
    ['an allowance that matters to nothing it asks for', { scopes: ['mcp:call'], allowanceUsd: 1_000 }],
  ])('default: %s', (_what, asked) => {
    expect(covers(trusted, unused, caps, asked)).toBe(true)
  })

  test.each<[string, Asked]>([
    ['a scope more', { scopes: ['mcp:call', 'call.publish'], allowanceUsd: undefined }],
    ['a cent more', { scopes: ['router.use'], allowanceUsd: 5.01 }],
    ['the Router without a named allowance', { scopes: ['router.use'], allowanceUsd: undefined }],
  ])('behavior: not %s', (_what, asked) => {
    expect(covers(trusted, unused, caps, asked)).toBe(false)
  })

  test('behavior: what earlier agents took is gone, to the cent', () => {
    const used = { ...unused, allowanceUsd: '4.70' }
    expect(covers(trusted, used, caps, { scopes: ['router.use'], allowanceUsd: 0.3 })).toBe(true)
    expect(covers(trusted, used, caps, { scopes: ['router.use'], allowanceUsd: 0.31 })).toBe(false)
    expect(
      covers(trusted, { ...unused, allowanceUsd: '5' }, caps, { scopes: ['mcp:call'], allowanceUsd: undefined }),
    ).toBe(true)
  })

  test('behavior: what ended agents spent today is gone too, each in whole cents', () => {
    const used = { ...unused, allowanceUsd: '1', spentUsd: ['1.001', '0', '0.49'] }
    expect(covers(trusted, used, caps, { scopes: ['router.use'], allowanceUsd: 2.5 })).toBe(true)
    expect(covers(trusted, used, caps, { scopes: ['router.use'], allowanceUsd: 2.51 })).toBe(false)
  })

  test.each([
    ['the device', { ofDevice: 3, ofOwner: 3 }],
    ['the owner', { ofDevice: 0, ofOwner: 5 }],
  ])('behavior: not one more than the hourly cap of %s', (_what, hourly) => {
    expect(covers(trusted, { ...unused, hourly }, caps, { scopes: ['mcp:call'], allowanceUsd: undefined })).toBe(false)
  })

  test('behavior: one less than the hourly caps is approved', () => {
    const hourly = { ofDevice: 2, ofOwner: 4 }
    expect(covers(trusted, { ...unused, hourly }, caps, { scopes: ['mcp:call'], allowanceUsd: undefined })).toBe(true)
  })

  test('behavior: no sum of allowances exceeds the trust by a cent, and none within it is refused', () => {
    const cents = fc.integer({ min: 0, max: 100_000 })
    const text = (of: number) => (of / 100).toFixed(2)
    fc.assert(
      fc.property(cents, cents, cents, (ofTrust, ofOthers, asked) => {
        const trust = { scopes: ['router.use'], allowanceUsd: text(ofTrust) } as const
        const used = { ...unused, allowanceUsd: text(ofOthers) }
        const isCovered = covers(trust, used, caps, { scopes: ['router.use'], allowanceUsd: asked / 100 })
        expect(isCovered).toBe(ofOthers + asked <= ofTrust)
      }),
    )
  })

  test('behavior: a scope that is not trusted is granted only by the owner', () => {
    const scope = fc.constantFrom('mcp:call', 'router.use', 'call.publish')
    const scopes = fc.uniqueArray(scope)
    fc.assert(
      fc.property(scopes, scopes, (trusts, asks) => {
        const isCovered = covers({ scopes: trusts, allowanceUsd: '5' }, unused, caps, { scopes: asks, allowanceUsd: 5 })
        expect(isCovered).toBe(asks.every((one) => trusts.includes(one)))
      }),
    )
  })
})
