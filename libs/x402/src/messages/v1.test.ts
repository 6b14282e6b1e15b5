import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1'
import { describe, expect, test } from 'vitest'
import { ARC_TOKEN, REQUIREMENTS } from '../../test/vectors.ts'
import { fromV1Requirements, toV1Requirements } from './v1.ts'
import { V1_NETWORKS, v1NetworkName } from './v1-networks.ts'

const RESOURCE = { url: 'https://api.example/weather', description: 'Weather', mimeType: 'application/json' }

describe('networks', () => {
  test('default: every EVM name of @x402/evm has the same chain here', () => {
    const evm = [...V1_NETWORKS].filter(([, network]) => network.startsWith('eip155:'))
    expect(Object.fromEntries(evm)).toEqual(
      Object.fromEntries(
        Object.entries(EVM_NETWORK_CHAIN_ID_MAP).map(([name, chainId]) => [name, `eip155:${chainId}`]),
      ),
    )
  })

  test('behavior: a name maps to a network and back, and Arc has none', () => {
    for (const [name, network] of V1_NETWORKS) expect(v1NetworkName(network)).toBe(name)
    expect(v1NetworkName('eip155:5042')).toBeUndefined()
  })
})

test('behavior: the Solana networks are known by name, for display', () => {
  expect(V1_NETWORKS.get('solana')).toBe('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
  expect(V1_NETWORKS.get('solana-devnet')).toBe('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1')
  expect(v1NetworkName('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1')).toBe('solana-devnet')
})

describe('requirements', () => {
  test('default: converting to version 1 and back gives the same requirement', () => {
    const v1 = toV1Requirements(REQUIREMENTS, RESOURCE)
    expect(v1).toStrictEqual({
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '10000',
      resource: 'https://api.example/weather',
      description: 'Weather',
      mimeType: 'application/json',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: 60,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      extra: { name: 'USD Coin', version: '2' },
    })
    expect(v1 && fromV1Requirements(v1)).toEqual(REQUIREMENTS)
  })

  test('behavior: version 1 requires a description and a type, so an offer without them gets defaults', () => {
    expect(toV1Requirements(REQUIREMENTS, { url: RESOURCE.url, mimeType: 'text/csv' })).toMatchObject({
      description: '',
      mimeType: 'text/csv',
    })
    expect(toV1Requirements(REQUIREMENTS, { url: RESOURCE.url })?.mimeType).toBe('application/json')
  })

  test('behavior: an entry without extra gains none, and one on an unknown network has no version 2 form', () => {
    const v1 = toV1Requirements(REQUIREMENTS, RESOURCE)
    const { extra: _, ...bare } = REQUIREMENTS
    expect(v1 && fromV1Requirements({ ...v1, extra: undefined })).toStrictEqual(bare)
    expect(v1 && fromV1Requirements({ ...v1, network: 'arc' })).toBeUndefined()
  })

  test('behavior: a requirement on a chain without a name has no version 1 form', () => {
    expect(
      toV1Requirements({ ...REQUIREMENTS, network: ARC_TOKEN.network, asset: ARC_TOKEN.asset }, RESOURCE),
    ).toBeUndefined()
  })

  test('behavior: a devnet that the caller names converts both ways', () => {
    const devnet = new Map([...V1_NETWORKS, ['devnet', 'eip155:31337'] as const])
    const local = { ...REQUIREMENTS, network: 'eip155:31337' as const }
    const v1 = toV1Requirements(local, RESOURCE, devnet)
    expect(v1?.network).toBe('devnet')
    expect(v1 && fromV1Requirements(v1, devnet)).toEqual(local)
  })
})
