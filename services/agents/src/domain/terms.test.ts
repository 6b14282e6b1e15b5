import { describe, expect, test } from 'vitest'
import { type Asked, covers, type Trusted } from './terms.ts'

const trusted: Trusted = { scopes: ['mcp:call', 'router.use'], allowanceUsd: 5 }

describe('covers', () => {
  test.each<[string, Asked]>([
    ['the same', { scopes: ['mcp:call', 'router.use'], allowanceUsd: 5 }],
    ['less', { scopes: ['router.use'], allowanceUsd: 0 }],
    ['no Router, and so no allowance', { scopes: ['mcp:call'], allowanceUsd: undefined }],
    ['no Router, whatever the allowance', { scopes: ['mcp:call'], allowanceUsd: 1_000 }],
  ])('default: %s', (_what, asked) => {
    expect(covers(trusted, asked)).toBe(true)
  })

  test.each<[string, Asked]>([
    ['another scope', { scopes: ['mcp:call', 'call.publish'], allowanceUsd: 1 }],
    ['a cent more', { scopes: ['router.use'], allowanceUsd: 5.01 }],
    ['an allowance that is not named', { scopes: ['router.use'], allowanceUsd: undefined }],
  ])('behavior: not %s', (_what, asked) => {
    expect(covers(trusted, asked)).toBe(false)
  })
})
