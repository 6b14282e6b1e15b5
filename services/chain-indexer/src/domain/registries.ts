import type { Address, Caip2 } from '@callboard/values'

/** ERC-8004 registries of a chain: agents, and clients' feedback on them. */
export interface Registries {
  readonly identity: Address
  readonly reputation: Address
}

const MAINNETS: Registries = {
  identity: '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
  reputation: '0x8004BAa17C55a88189AE136b182e5fdA19dE9b63',
}

const TESTNETS: Registries = {
  identity: '0x8004A818BFB912233c491871b3d84c89A494BD9e',
  reputation: '0x8004B663056A597Dffe9eCcC1965A193B7388713',
}

/**
 * The registries of the public chains that have them.
 * @source https://github.com/erc-8004/erc-8004-contracts, which lists none on Arc
 */
export const KNOWN_REGISTRIES: Readonly<Record<Caip2, Registries>> = {
  'eip155:8453': MAINNETS,
  'eip155:84532': TESTNETS,
  'eip155:5042002': TESTNETS,
}
