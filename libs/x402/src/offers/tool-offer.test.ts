import { describe, expect, test } from 'vitest'
import { REQUIREMENTS, TOKENS } from '../../test/vectors.ts'
import { toV1Requirements } from '../messages/v1.ts'
import { readToolOffer, type ToolAnswer } from './tool-offer.ts'

const OFFER = { x402Version: 2, accepts: [REQUIREMENTS] }
const V1_OFFER = { x402Version: 1, accepts: [toV1Requirements(REQUIREMENTS, { url: 'mcp://tool/quote' })] }
const text = (offer: unknown) => ({ type: 'text', text: JSON.stringify(offer) })

const read = (answer: ToolAnswer) => readToolOffer(answer, { tokens: TOKENS })
const readResult = (result: object) => read({ result: { isError: true, ...result } })

describe('readToolOffer', () => {
  test.each([
    ['in structuredContent', { structuredContent: OFFER, content: [text(OFFER)] }],
    ['as the first text alone', { content: [text(OFFER)] }],
    ['beside a content of its own', { structuredContent: { more: 1 }, content: [text(OFFER)] }],
    [
      'in _meta["x402/error"]',
      { _meta: { 'x402/error': OFFER }, content: [{ type: 'text', text: 'Payment required' }] },
    ],
  ])('default: reads an offer %s', (_, result) => {
    expect(readResult(result)).toMatchObject({ x402Version: 2, accepts: [REQUIREMENTS] })
  })

  test('default: reports an offer of version 1 as version 2', () => {
    expect(readResult({ structuredContent: V1_OFFER })).toMatchObject({
      x402Version: 1,
      accepts: [{ payTo: REQUIREMENTS.payTo, amount: REQUIREMENTS.amount, network: REQUIREMENTS.network }],
    })
  })

  test('default: reads a version 1 offer from the data of an error with code 402', () => {
    expect(read({ error: { code: 402, data: V1_OFFER } })).toMatchObject({ x402Version: 1 })
    expect(read({ error: { code: -32_602, data: V1_OFFER } })).toBeUndefined()
    expect(read({ error: { code: 402 } })).toBeUndefined()
  })

  test('behavior: the place that the specification names takes precedence', () => {
    const other = { ...OFFER, accepts: [] }
    const result = { structuredContent: OFFER, content: [text(other)], _meta: { 'x402/error': other } }
    expect(readResult(result)?.accepts).toHaveLength(1)
    expect(readResult({ ...result, structuredContent: undefined })?.accepts).toHaveLength(0)
  })

  test('behavior: no entry is payable over HTTP, and an unsound one keeps its own reason', () => {
    const accepts = [REQUIREMENTS, { ...REQUIREMENTS, scheme: 'upto' }]
    expect(readResult({ structuredContent: { ...OFFER, accepts } })?.payability).toEqual([
      { payable: false, reason: 'mcp' },
      { payable: false, reason: 'scheme' },
    ])
  })

  test('behavior: a result that is not an error asks for no payment, whatever it holds', () => {
    expect(read({ result: { structuredContent: OFFER, content: [text(OFFER)] } })).toBeUndefined()
    expect(read({ result: { isError: 'true', structuredContent: OFFER } })).toBeUndefined()
  })

  test.each([
    {},
    { result: null },
    { result: 'paid' },
    { result: { isError: true } },
    { result: { isError: true, content: 'paid', _meta: 7 } },
    { result: { isError: true, content: [], _meta: { 'x402/error': null } } },
    { result: { isError: true, content: [{ type: 'text', text: '{' }, text(OFFER)] } },
    { result: { isError: true, content: [{ type: 'image', text: 7 }] } },
    { result: { isError: true, structuredContent: { x402Version: 2 } } },
    { result: { isError: true, structuredContent: [OFFER] } },
    { error: 'paid' },
  ])('behavior: %j asks for no payment', (answer: ToolAnswer) => {
    expect(read(answer)).toBeUndefined()
  })

  test('behavior: without a context the offer is read all the same', () => {
    expect(readToolOffer({ result: { isError: true, structuredContent: V1_OFFER } })).toMatchObject({
      accepts: [{ amount: REQUIREMENTS.amount }],
      payability: [{ payable: false, reason: 'network' }],
    })
  })
})
