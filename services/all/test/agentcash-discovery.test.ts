import {
  attachProbePayload,
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  discoverOriginSchema,
  getOpenAPI,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForLegacyWellKnown,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
  probeLegacyWellKnown,
  validatePaymentRequiredDetailed,
} from '@agentcash/discovery'
import { fromHeader } from '@callboard/conformance'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Instance } from './instance.ts'

const instance = new Instance()
const decode = () => `${instance.baseUrl}/x402/decode`
const SOLD = { path: '/x402/decode', method: 'POST', authMode: 'paid', price: '0.001 USD', pricingMode: 'fixed' }

beforeAll(() => instance.start(), 120_000)
afterAll(() => instance.dispose())

async function documentAt(path: string) {
  const read = await getOpenAPI(instance.baseUrl, undefined, undefined, instance.baseUrl + path)
  const source = read.isOk() ? read.value : null
  if (!source || isOpenApiParseFailure(source)) throw new Error(`${path} is no OpenAPI document`)
  return source
}

async function endpoint(options: { probe?: boolean } = {}) {
  const checked = await checkEndpointSchema({ url: decode(), ...options })
  if (!checked.found) throw new Error(`${decode()}: ${checked.cause}`)
  return checked.advisories
}

describe('the crawlers’ library finds nothing to warn of', () => {
  test('in /openapi.json, with the origin, its routes and its guidance', async () => {
    const found = await discoverOriginSchema({ target: instance.baseUrl })
    if (!found.found) throw new Error(found.cause)
    expect(found.endpoints).toContainEqual(expect.objectContaining({ ...SOLD, protocols: ['x402'] }))
    const source = await documentAt('/openapi.json')
    expect(getWarningsForOpenAPI(source)).toEqual([])
    expect(getWarningsForL2(checkL2ForOpenAPI(source))).toEqual([])
    expect(getWarningsForL4(checkL4ForOpenAPI(source))).toEqual([])
  })

  test('in /x402/openapi.json, which lists what is sold and nothing else', async () => {
    const source = await documentAt('/x402/openapi.json')
    expect(source.routes).toEqual([expect.objectContaining({ path: '/x402/decode', method: 'POST', authMode: 'paid' })])
    expect(getWarningsForOpenAPI(source)).toEqual([])
    expect(getWarningsForL2(checkL2ForOpenAPI(source))).toEqual([])
    expect(getWarningsForL4(checkL4ForOpenAPI(source))).toEqual([])
  })

  test('at the paid route, as the document describes it and with its live 402', async () => {
    const advisories = await endpoint()
    expect(advisories).toEqual([
      expect.objectContaining({ method: 'POST', authMode: 'paid', estimatedPrice: '0.001 USD', protocols: ['x402'] }),
    ])
    expect(advisories[0]).toMatchObject({ inputSchema: expect.any(Object), outputSchema: expect.any(Object) })
    await attachProbePayload(decode(), advisories)
    expect(advisories[0]?.paymentRequiredBody).toBeDefined()
    expect(advisories.flatMap(getWarningsForL3)).toEqual([])
  })

  test('at the paid route, from its 402 alone', async () => {
    const advisories = await endpoint({ probe: true })
    expect(advisories).toEqual([expect.objectContaining({ method: 'POST', source: 'probe', authMode: 'paid' })])
    const [{ inputSchema, outputSchema, paymentOptions } = {}] = advisories
    expect(inputSchema).toMatchObject({ properties: { header: expect.any(Object), payload: expect.any(Object) } })
    expect(outputSchema).toMatchObject({ properties: { recoveredSigner: expect.any(Object) } })
    expect(paymentOptions).toContainEqual(expect.objectContaining({ protocol: 'x402', version: 2, amount: '1000' }))
    expect(advisories.flatMap(getWarningsForL3)).toEqual([])
  })

  test('in the offer itself, which fits into the header size that every client accepts', async () => {
    const { headers, status } = await fetch(decode(), { method: 'POST' })
    expect(status).toBe(402)
    const header = headers.get('payment-required') ?? ''
    expect(header.length).toBeLessThan(8 * 1024)
    const verdict = validatePaymentRequiredDetailed(fromHeader(header), {
      requireInputSchema: true,
      requireOutputSchema: true,
    })
    expect(verdict).toMatchObject({ valid: true, version: 2, issues: [] })
  })
})

test('/.well-known/x402 remains for its readers, which is reported as information and not as a warning', async () => {
  const probe = await probeLegacyWellKnown(instance.baseUrl)
  const found = getWarningsForLegacyWellKnown(probe._unsafeUnwrap())
  expect(found.map(({ code, severity }) => ({ code, severity }))).toEqual([
    { code: 'LEGACY_WELL_KNOWN_FOUND', severity: 'info' },
  ])
})
