import type { ListingOperation } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import {
  noOffer,
  offer,
  operation,
  READ_AT,
  report,
  SPLITTER,
  THIRD_PARTY,
  terms,
  USDC,
} from '../../test/held-listing.ts'
import { describedOf, isDescribedBySeller, publishedOperation } from './evidence.ts'

const foreign = offer({ payTo: THIRD_PARTY })
const declared = { ...operation, metadataEvidence: 'well-known' } as const
const of = (given: ReturnType<typeof report>, more: Partial<ListingOperation> = {}) => ({
  operation: { ...declared, ...more },
  report: given,
})
const at = new Date(READ_AT + 1_000).toISOString()

describe('publishedOperation', () => {
  test('default: returns what its provider declares, with the payment that its offer asks for', () => {
    expect(publishedOperation(of(report(), { description: 'A quote.' }), terms)).toEqual({
      name: 'Quote',
      method: 'GET',
      url: 'https://api.example/quote',
      description: 'A quote.',
      describedBy: 'owner',
      metadataEvidence: 'well-known',
      payment: {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: USDC,
        payTo: SPLITTER,
        amount: '10000',
        checkedAt: at,
      },
      price: '0.01',
    })
  })

  test('behavior: a sample stays with its operation, so that every check sends it', () => {
    const sample = { query: { symbol: 'ABC' } }
    expect(publishedOperation(of(report(), { sample }), terms)).toMatchObject({ sample })
    expect(publishedOperation(of(report()), terms)).not.toHaveProperty('sample')
  })

  test('behavior: the entry that pays the splitter counts, whatever its position and whatever others ask', () => {
    const accepts = [offer({ payTo: THIRD_PARTY, amount: '1' }), offer({ amount: '20000' })]
    expect(publishedOperation(of(report(accepts)), terms)).toMatchObject({
      price: '0.02',
      payment: { payTo: SPLITTER },
    })
  })

  test('behavior: if none pays the splitter, the first payable one sets the price', () => {
    const accepts = [offer({ ...foreign, payable: false }), offer({ ...foreign, amount: '30000' }), foreign]
    expect(publishedOperation(of(report(accepts)), terms)).toMatchObject({
      price: '0.03',
      payment: { payTo: THIRD_PARTY },
    })
  })

  test.each([
    ['nothing is offered', report([])],
    ['nothing was read', noOffer('timeout')],
  ])('behavior: has neither payment nor price if %s', (_what, given) => {
    expect(publishedOperation(of(given), terms)).toMatchObject({ payment: null, price: null })
  })

  test('behavior: the endpoint’s own description is used only if its provider gave none', () => {
    const given = report([offer()], {}, { description: 'Its own words.' })
    expect(publishedOperation(of(given), terms)).toMatchObject({
      description: 'Its own words.',
      describedBy: 'endpoint',
    })
    expect(publishedOperation(of(given, { description: 'A quote.' }), terms)).toMatchObject({
      description: 'A quote.',
      describedBy: 'owner',
    })
  })
})

describe('describedOf', () => {
  const schemas = { inputSchema: { type: 'object' }, inputExample: { city: 'Bern' }, outputSchema: { type: 'array' } }

  test('default: returns the schemas of the challenge, and their evidence', () => {
    expect(describedOf({ metadataEvidence: 'bazaar', ...schemas }, 'owner')).toEqual({
      metadataEvidence: 'bazaar',
      ...schemas,
    })
  })

  test('behavior: what the challenge does not say stays as it was declared', () => {
    expect(describedOf({ metadataEvidence: 'probe' }, 'endpoint')).toStrictEqual({})
    expect(describedOf(undefined, 'endpoint')).toStrictEqual({})
  })

  test('behavior: the challenge’s description counts only for an operation that the endpoint describes', () => {
    const described = { metadataEvidence: 'probe', description: 'Its own.' } as const
    expect(describedOf(described, 'endpoint')).toEqual({ description: 'Its own.' })
    expect(describedOf(described, 'owner')).toEqual({})
    expect(describedOf(described, undefined)).toEqual({})
  })
})

test.each([
  ['bazaar', true],
  ['openapi', true],
  ['output-schema', true],
  ['well-known', false],
  ['probe', false],
  ['none', false],
] as const)('isDescribedBySeller: %s: %s', (metadataEvidence, described) => {
  expect(isDescribedBySeller({ metadataEvidence })).toBe(described)
})
