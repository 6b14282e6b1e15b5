import { type Chain, chainSet } from '@callboard/evm'
import { V1_NETWORKS } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { ownOffer, ownRequirements, ownV1Offer, serviceOffer } from './own-offer.ts'

const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const BASE = 'eip155:8453'
const ARC = 'eip155:5042'
const chains = chainSet({ networks: [BASE, ARC] })
const price = { priceUsd: '0.0025', payTo } as const
const [onBase, onArc] = [
  {
    scheme: 'exact',
    network: BASE,
    amount: '2500',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    payTo,
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'eip3009' },
  },
  {
    scheme: 'exact',
    network: ARC,
    amount: '2500',
    asset: '0x3600000000000000000000000000000000000000',
    payTo,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2', assetTransferMethod: 'eip3009' },
  },
]
const requirements = ownRequirements(chains, price)
const resource = { url: 'https://callboard.example/decode', description: 'Takes a payment apart' }

describe('ownRequirements', () => {
  test('default: one entry per chain, each for the whole price in base units of its token', () => {
    expect(requirements).toEqual([onBase, onArc])
  })

  test('behavior: the price is in the decimals of the token', () => {
    const base = chains.get(BASE) as Chain
    const fine = new Map([[BASE, { ...base, usdc: { ...base.usdc, decimals: 18 } }]] as const)
    expect(ownRequirements(fine, price)[0]?.amount).toBe('2500000000000000')
  })

  test('behavior: the confirmation policy appears in the entries of those networks for which the route sets one', () => {
    const [base, arc] = ownRequirements(chains, { ...price, confirmations: new Map([[BASE, 'safe']]) })
    expect([base, arc]).toEqual([{ ...onBase, extra: { ...onBase.extra, confirmation: 'safe' } }, onArc])
  })

  test('error: refuses a price that would lose a digit', () => {
    expect(() => ownRequirements(chains, { ...price, priceUsd: '0.0000025' })).toThrow(RangeError)
  })
})

describe('ownOffer', () => {
  test('default: says what is sold, at what price, and which extensions a client may use', () => {
    const offer = ownOffer(requirements, resource)
    expect(offer).toMatchObject({
      x402Version: 2,
      resource: { ...resource, mimeType: 'application/json', serviceName: 'Callboard', tags: ['x402', 'payments'] },
      accepts: [onBase, onArc],
    })
    expect(Object.keys(offer.extensions ?? {})).toEqual(['payment-identifier', 'builder-code', 'bazaar'])
    expect(offer).not.toHaveProperty('error')
  })

  test('behavior: a payment identifier is optional, and our settlements carry this service’s builder code', () => {
    expect(ownOffer(requirements, resource).extensions).toMatchObject({
      'payment-identifier': { info: { required: false } },
      'builder-code': { info: { s: ['svc'] } },
    })
  })

  test('behavior: includes the reason where a payment was refused', () => {
    expect(ownOffer(requirements, resource, 'invalid_payload')).toHaveProperty('error', 'invalid_payload')
  })
})

test('serviceOffer: what another service sells has the same terms, and no description for crawlers', () => {
  const offer = serviceOffer(requirements, resource, 'invalid_payload')
  expect(offer).toMatchObject({ x402Version: 2, error: 'invalid_payload', resource, accepts: [onBase, onArc] })
  expect(Object.keys(offer.extensions ?? {})).toEqual(['payment-identifier', 'builder-code'])
})

describe('ownV1Offer', () => {
  test('default: offers the chains that have a name in version 1', () => {
    expect(ownV1Offer(requirements, resource, V1_NETWORKS)).toEqual({
      x402Version: 1,
      error: 'X-PAYMENT header is required',
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: '2500',
          resource: resource.url,
          description: resource.description,
          mimeType: 'application/json',
          payTo,
          maxTimeoutSeconds: 300,
          asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    })
  })

  test('behavior: includes the reason where a payment was refused', () => {
    expect(ownV1Offer(requirements, resource, V1_NETWORKS, 'invalid_payload')?.error).toBe('invalid_payload')
  })

  test('behavior: null where no chain has a name in version 1', () => {
    expect(ownV1Offer(requirements, resource, new Map())).toBeNull()
  })
})
