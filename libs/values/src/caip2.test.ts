import { describe, expect, test } from 'vitest'
import { chainIdOf, evmNetwork, looksLikeCaip2 } from './index.ts'

describe('chainIdOf', () => {
  test('default: the chain id of an eip155 network', () => {
    expect(chainIdOf(evmNetwork(8453))).toBe(8453)
  })

  test.each(['eip155:08453', 'eip155:', 'eip155:0x2105', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'base'])(
    'error: %s has none',
    (network) => expect(chainIdOf(network)).toBeUndefined(),
  )
})

test('looksLikeCaip2: namespace and reference keep to CAIP-2', () => {
  expect(looksLikeCaip2('eip155:1')).toBe(true)
  for (const text of ['base', 'e:1', 'EIP155:1', 'eip155:', `eip155:${'1'.repeat(33)}`])
    expect(looksLikeCaip2(text)).toBe(false)
})
