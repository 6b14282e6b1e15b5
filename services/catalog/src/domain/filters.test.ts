import { expect, test } from 'vitest'
import { type Filters, isOffered } from './filters.ts'

const NETWORK = 'eip155:8453'
const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const PAY_TO = '0x00000000000000000000000000000000000000Aa'
const offer = { price: '0.010', payment: { network: NETWORK, asset: ASSET, payTo: PAY_TO } }

test.each([
  ['nothing', {}, true],
  ['its network', { network: NETWORK }, true],
  ['another network', { network: 'eip155:1' }, false],
  ['its asset in another case', { asset: ASSET.toLowerCase() }, true],
  ['another asset', { asset: PAY_TO }, false],
  ['its payee in another case', { payTo: PAY_TO.toLowerCase() }, true],
  ['another payee', { payTo: ASSET }, false],
  ['just its price', { maxPrice: '0.01' }, true],
  ['a higher price', { maxPrice: '1' }, true],
  ['a price that is lower in the twentieth digit', { maxPrice: '0.00999999999999999999' }, false],
  ['all of it', { network: NETWORK, asset: ASSET, payTo: PAY_TO, maxPrice: '0.01' }, true],
  ['all but one', { network: NETWORK, asset: ASSET, payTo: PAY_TO, maxPrice: '0.001' }, false],
  ['what is not of an offer', { category: 'ai', minUptime: 1 }, true],
] as [string, Filters, boolean][])('an offer matches a filter on %s: %j', (_what, filters, expected) => {
  expect(isOffered(offer, filters)).toBe(expected)
})
