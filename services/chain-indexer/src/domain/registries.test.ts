import { expect, test } from 'vitest'
import { KNOWN_REGISTRIES } from './registries.ts'

test('the known registries are those that ERC-8004 publishes for Base, its testnet and Arc’s testnet', () => {
  const testnets = {
    identity: '0x8004A818BFB912233c491871b3d84c89A494BD9e',
    reputation: '0x8004B663056A597Dffe9eCcC1965A193B7388713',
  }
  expect(KNOWN_REGISTRIES).toEqual({
    'eip155:8453': {
      identity: '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
      reputation: '0x8004BAa17C55a88189AE136b182e5fdA19dE9b63',
    },
    'eip155:84532': testnets,
    'eip155:5042002': testnets,
  })
})
