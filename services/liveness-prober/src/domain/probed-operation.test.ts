import type { Challenge, Discovery } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import type { DocumentedOperation } from './openapi.ts'
import { probeResult } from './probe-result.ts'

const ENDPOINT = new URL('https://api.example/v1/quote')
const PLAIN: Challenge = { kind: 'plain', offerTransport: 'none', authSchemes: [] }
const IN = { type: 'object', required: ['in'] }
const OUT = { type: 'object', required: ['out'] }

/** An offer with nothing but the description of its operation. */
const offered = (discovery?: Discovery): Challenge => ({
  kind: 'x402',
  x402Version: 2,
  accepts: [],
  payability: [],
  unread: [],
  issues: [],
  offerTransport: 'header',
  versionConformant: true,
  mpp: [],
  ...(discovery ? { discovery } : {}),
})
const bazaar = (more: Partial<Discovery> = {}): Discovery => ({ metadataEvidence: 'bazaar', type: 'http', ...more })
const documented = (more: Partial<DocumentedOperation> = {}): DocumentedOperation => ({
  method: 'GET',
  inputSchema: undefined,
  body: undefined,
  query: {},
  headers: {},
  ...more,
})
const operationOf = (challenge: Challenge, documented?: DocumentedOperation, url = ENDPOINT) =>
  probeResult(challenge, url, 'GET', documented).operations[0]

describe('the operation of an endpoint', () => {
  test('that says nothing about it is shown as it was called', () => {
    expect(probeResult(PLAIN, ENDPOINT, 'PUT')).toEqual({
      kind: 'plain',
      operations: [{ method: 'PUT', url: 'https://api.example/v1/quote', name: 'quote', metadataEvidence: 'none' }],
    })
  })

  test('is shown as its offer describes it', () => {
    const discovery = bazaar({
      method: 'POST',
      toolName: 'convert',
      routeTemplate: '/v1/:what',
      inputSchema: IN,
      outputSchema: OUT,
    })
    expect(operationOf(offered(discovery), documented({ inputSchema: OUT }))).toEqual({
      method: 'POST',
      url: 'https://api.example/v1/quote',
      name: 'convert',
      metadataEvidence: 'bazaar',
      inputSchema: IN,
      outputSchema: OUT,
      routeTemplate: '/v1/:what',
    })
  })

  test('has the method of the call if the offer names one that cannot be listed', () => {
    expect(operationOf(offered(bazaar({ method: 'HEAD' })))?.method).toBe('GET')
  })

  test.each([
    ['/v1/quote/', 'quote'],
    ['/', 'api.example'],
    [`/${'n'.repeat(81)}`, 'n'.repeat(80)],
  ])('at %s is named by the last part of its path, up to 80 characters', (path, name) => {
    expect(operationOf(PLAIN, undefined, new URL(path, ENDPOINT))?.name).toBe(name)
  })
})

describe('the evidence for an operation', () => {
  test.each<[string, Challenge, DocumentedOperation | undefined, string]>([
    ['an answer that asks for nothing', PLAIN, undefined, 'none'],
    ['an offer', offered(), undefined, 'probe'],
    ['a document of that method', PLAIN, documented(), 'openapi'],
    ['a document beside an offer', offered(), documented(), 'openapi'],
    ['a document of another method', offered(), documented({ method: 'POST' }), 'probe'],
    ['the offer’s own words', offered(bazaar()), documented(), 'bazaar'],
    ['those of version 1', offered(bazaar({ metadataEvidence: 'output-schema' })), undefined, 'output-schema'],
  ])('comes from %s', (_what, challenge, documented, evidence) => {
    expect(operationOf(challenge, documented)?.metadataEvidence).toBe(evidence)
  })
})

describe('the schemas of an operation', () => {
  test('come from the document if the offer has none, for the method that was called', () => {
    expect(operationOf(offered(bazaar()), documented({ inputSchema: IN }))?.inputSchema).toEqual(IN)
    expect(operationOf(offered(), documented({ inputSchema: IN, method: 'POST' }))).not.toHaveProperty('inputSchema')
  })

  test('are shown up to 8 KiB', () => {
    const schema = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) })
    const of = (length: number) =>
      operationOf(offered(bazaar({ inputSchema: schema(length), outputSchema: schema(length) })))
    expect(of(8_192)).toMatchObject({ inputSchema: schema(8_192), outputSchema: schema(8_192) })
    expect(of(8_193)).not.toHaveProperty('inputSchema')
    expect(of(8_193)).not.toHaveProperty('outputSchema')
  })

  test.each<[string, Discovery | undefined, string[]]>([
    ['nothing', undefined, ['SCHEMA_INPUT_MISSING', 'SCHEMA_OUTPUT_MISSING']],
    ['neither', bazaar(), ['SCHEMA_INPUT_MISSING', 'SCHEMA_OUTPUT_MISSING']],
    ['what it takes', bazaar({ inputSchema: IN }), ['SCHEMA_OUTPUT_MISSING']],
    ['what it gives', bazaar({ outputSchema: OUT }), ['SCHEMA_INPUT_MISSING']],
    ['an example of what it gives', bazaar({ outputExample: null }), ['SCHEMA_INPUT_MISSING']],
    ['both', bazaar({ inputSchema: IN, outputSchema: OUT }), []],
  ])('are reported as missing from an offer that gives %s', (_what, discovery, issues) => {
    const result = probeResult(offered(discovery), ENDPOINT, 'GET', documented({ inputSchema: IN }))
    expect(result).toMatchObject({ conformance: { issues } })
  })
})
