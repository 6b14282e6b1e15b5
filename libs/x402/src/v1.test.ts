import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1'
import { describe, expect, test } from 'vitest'
import { ARC_TOKEN, REQUIREMENTS } from '../test/vectors.ts'
import { fromV1Requirements, toV1Requirements, V1PaymentRequired } from './v1.ts'
import { V1_NETWORKS, v1NetworkName } from './v1-networks.ts'

const RESOURCE = { url: 'https://api.example/weather', description: 'Weather', mimeType: 'application/json' }

describe('networks', () => {
  test('default: every EVM name of @x402/evm means the same chain here', () => {
    const evm = [...V1_NETWORKS].filter(([, network]) => network.startsWith('eip155:'))
    expect(Object.fromEntries(evm)).toEqual(
      Object.fromEntries(
        Object.entries(EVM_NETWORK_CHAIN_ID_MAP).map(([name, chainId]) => [name, `eip155:${chainId}`]),
      ),
    )
  })

  test('behavior: a name leads back to itself, and Arc has none', () => {
    for (const [name, network] of V1_NETWORKS) expect(v1NetworkName(network)).toBe(name)
    expect(v1NetworkName('eip155:5042')).toBeUndefined()
  })
})

describe('requirements', () => {
  test('default: to version 1 and back is the same requirement', () => {
    const v1 = toV1Requirements(REQUIREMENTS, RESOURCE)
    expect(v1).toMatchObject({
      network: 'base',
      maxAmountRequired: '10000',
      resource: RESOURCE.url,
      description: 'Weather',
    })
    expect(v1 && fromV1Requirements(v1)).toEqual(REQUIREMENTS)
    expect(V1PaymentRequired.safeParse({ x402Version: 1, error: 'payment required', accepts: [v1] }).success).toBe(true)
  })

  test('behavior: a requirement on a chain without a name has no version 1 form', () => {
    expect(
      toV1Requirements({ ...REQUIREMENTS, network: ARC_TOKEN.network, asset: ARC_TOKEN.asset }, RESOURCE),
    ).toBeUndefined()
  })

  test('behavior: a devnet the caller names goes both ways', () => {
    const devnet = new Map([...V1_NETWORKS, ['devnet', 'eip155:31337'] as const])
    const local = { ...REQUIREMENTS, network: 'eip155:31337' as const }
    const v1 = toV1Requirements(local, RESOURCE, devnet)
    expect(v1?.network).toBe('devnet')
    expect(v1 && fromV1Requirements(v1, devnet)).toEqual(local)
  })
})
