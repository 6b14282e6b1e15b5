import { describe, expect, test } from 'vitest'
import { chainIdOf, evmNetwork, looksLikeCaip2 } from './index.ts'

test('evmNetwork: writes the chain id in decimal, within eip155', () => {
  expect(evmNetwork(8453)).toBe('eip155:8453')
})

describe('chainIdOf', () => {
  test.each([
    ['eip155:8453', 8453],
    ['eip155:1', 1],
    ['eip155:0', 0],
    ['eip155:9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('default: reads the chain id of %s', (network, chainId) => {
    expect(chainIdOf(network)).toBe(chainId)
  })

  test.each([
    'eip155:08453',
    'eip155:',
    'eip155:0x2105',
    'eip155:1\n',
    'xeip155:1',
    'eip155:-1',
    `eip155:${'1'.repeat(17)}`,
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'base',
  ])('error: %s has no chain id', (network) => {
    expect(chainIdOf(network)).toBeUndefined()
  })
})

describe('looksLikeCaip2', () => {
  test.each(['eip155:1', 'a-1:x', 'abcdefgh:A', `cosmos:${'a'.repeat(32)}`, 'bip122:a_B-9'])('default: %s', (text) => {
    expect(looksLikeCaip2(text)).toBe(true)
  })

  test.each([
    'base',
    'eip155',
    'ab:1',
    'abcdefghi:1',
    'EIP155:1',
    'eip155:',
    ':1',
    `eip155:${'1'.repeat(33)}`,
    'eip155:1:2',
    'eip155:1 ',
    ' eip155:1',
    'eip155:1.5',
  ])('error: "%s" is not a chain name', (text) => {
    expect(looksLikeCaip2(text)).toBe(false)
  })
})
