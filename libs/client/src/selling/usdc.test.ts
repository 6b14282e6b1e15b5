import { expect, test } from 'vitest'
import { isUsdc } from './usdc.ts'

test.each([
  ['the USDC of Base', 'eip155:8453', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', true],
  ['in other letters', 'eip155:8453', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', true],
  ['the USDC of Celo', 'eip155:42220', '0xcebA9300f2b948710d2653dD7B07f33A8B32118C', true],
  ['a bridged USDC', 'eip155:36900', '0x9cb8142aEBBcdc60AF7c97Af897A67A8f3CA71C2', true],
  ['that of another network', 'eip155:137', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', false],
  ['the Tether of Celo', 'eip155:42220', '0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e', false],
  ['MegaUSD, of 18 decimals', 'eip155:4326', '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7', false],
  ['USDT0', 'eip155:988', '0x779Ded0c9e1022225f8E0630b35a9b54bE713736', false],
] as const)('%s', (_what, network, asset, is) => {
  expect(isUsdc(network, asset)).toBe(is)
})
