import { describe, expect, test } from 'vitest'
import { ADVICE_ISSUES, isVersionConformant, VERSION_ISSUES } from './conformance.ts'
import { ISSUE_WORDS, REASON_WORDS } from './conformance-words.ts'

const isSentence = (text: string) => /^[A-Z`].+\.$/.test(text)

describe('messages', () => {
  test('default: every issue has its sentence and its mend, and there are no others', () => {
    expect(Object.keys(ISSUE_WORDS)).toEqual([...VERSION_ISSUES, ...ADVICE_ISSUES])
  })

  test('default: every reason that makes an entry unpayable has its sentence and its mend', () => {
    expect(Object.keys(REASON_WORDS)).toEqual([
      ...['scheme', 'network', 'asset', 'gateway-batched', 'transfer-method', 'payment-flow', 'eip712-domain', 'payee'],
      ...['amount', 'timeout', 'version', 'transport', 'behind-unpayable', 'mcp'],
    ])
  })

  test.each(Object.entries({ ...ISSUE_WORDS, ...REASON_WORDS }))('behavior: %s has two sentences', (_, words) => {
    expect(words).toEqual({ message: expect.toSatisfy(isSentence), mend: expect.toSatisfy(isSentence) })
  })
})

describe('isVersionConformant', () => {
  test.each([
    ...['X402_NOT_OBJECT', 'X402_VERSION_MISSING', 'X402_VERSION_UNSUPPORTED', 'X402_ACCEPTS_MISSING'],
    ...['X402_ACCEPTS_INVALID', 'X402_ACCEPTS_EMPTY', 'X402_ACCEPT_ENTRY_INVALID', 'NETWORK_CAIP2_INVALID'],
    ...['NETWORK_EIP155_REFERENCE_INVALID', 'NETWORK_REFERENCE_UNKNOWN', 'OFFER_ONLY_IN_BODY'],
    ...[
      'OFFER_HEADER_UNREADABLE',
      'HEADER_BODY_DIFFER',
      'EIP712_DOMAIN_MISSING',
      'AMOUNT_NOT_POSITIVE',
      'PAYTO_INVALID',
    ],
  ] as const)('error: with %s an offer does not conform to its declared version', (issue) => {
    expect(isVersionConformant([issue])).toBe(false)
    expect(isVersionConformant(['CACHEABLE_402', issue])).toBe(false)
  })

  test.each([
    ...['SCHEMA_INPUT_MISSING', 'SCHEMA_OUTPUT_MISSING', 'ASSET_UNKNOWN', 'CACHEABLE_402', 'PAYTO_CHANGED'],
    ...['HEADERS_OVERFLOW', 'GATEWAY_BATCHED', 'TRANSFER_METHOD_UNSUPPORTED', 'PAYMENT_FLOW_UNKNOWN'],
    ...['TIMEOUT_TOO_SHORT', 'BEHIND_UNPAYABLE', 'MPP_ALSO_OFFERED', 'MPP_REQUEST_UNREADABLE', 'ROUTE_BOUND'],
  ] as const)('behavior: %s is advice', (issue) => {
    expect(isVersionConformant([issue])).toBe(true)
  })

  test('default: an offer without an issue conforms', () => {
    expect(isVersionConformant([])).toBe(true)
  })
})
