import { describe, expect, test } from 'vitest'
import { type Asked, covers, type TrustUse } from './terms.ts'

const trusted = { scopes: ['mcp:call', 'router.use'] as const, allowanceUsd: '5.00' }
const unused: TrustUse = { allowanceUsd: '0', hourly: { ofDevice: 0, ofOwner: 0 } }
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

  test('behavior: what agents before took is gone, to the cent', () => {
    const used = { ...unused, allowanceUsd: '4.70' }
    expect(covers(trusted, used, caps, { scopes: ['router.use'], allowanceUsd: 0.3 })).toBe(true)
    expect(covers(trusted, used, caps, { scopes: ['router.use'], allowanceUsd: 0.31 })).toBe(false)
    expect(
      covers(trusted, { ...unused, allowanceUsd: '5' }, caps, { scopes: ['mcp:call'], allowanceUsd: undefined }),
    ).toBe(true)
  })

  test.each([
    ['the device', { ofDevice: 3, ofOwner: 3 }],
    ['the owner', { ofDevice: 0, ofOwner: 5 }],
  ])('behavior: not one more than an hour’s cap of %s', (_what, hourly) => {
    expect(covers(trusted, { ...unused, hourly }, caps, { scopes: ['mcp:call'], allowanceUsd: undefined })).toBe(false)
  })
})
