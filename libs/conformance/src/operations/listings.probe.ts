import { listings, type ProbeResult } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../client.ts'
import { accepted, expectFields, refused } from '../expectations.ts'
import { broken, challengeMpp, challengeV1, challengeV2, plain } from '../scripted.ts'
import { FIELDS } from '../specification.ts'
import { type Stage, staged } from '../stage.ts'
import type { Register } from '../target.ts'

const PATH = '/api/call/listings/probe'

const probeAs = async ({ stranger }: Stage, body: object): Promise<ProbeResult> =>
  accepted(listings.probe, await stranger.api.post(PATH, body))

const fields = { x402: FIELDS.probeX402, mpp: FIELDS.probeMpp, plain: FIELDS.probePlain } as const

function expectProbe<Kind extends ProbeResult['kind']>(result: ProbeResult, kind: Kind) {
  if (result.kind !== kind) expect.fail(`The probe is ${result.kind}, not ${kind}`)
  expectFields(result, fields[kind])
  for (const { metadataEvidence } of result.operations) expect(metadataEvidence).toEqual(expect.any(String))
  return result as Extract<ProbeResult, { kind: Kind }>
}

export const probe: Register = (target) => {
  staged(target, 'x402 of a stock @x402/express seller', async (stage) => {
    const [{ url } = { url: '' }] = stage.weather.operations
    const { accepts, endpoint, conformance, x402Version } = expectProbe(await probeAs(stage, { url }), 'x402')
    expect({ endpoint, x402Version }).toEqual({ endpoint: url, x402Version: 2 })
    expect(accepts).toMatchObject([
      { scheme: 'exact', amount: '10000', payTo: stage.splitter.splitterAddress, payable: true },
    ])
    expect(conformance).toMatchObject({ declaredVersion: 2, versionConformant: true, offerTransport: 'header' })
  })

  staged(target, 'x402 of a stock @x402/hono seller', async (stage) => {
    const [{ url } = { url: '' }] = stage.rates.operations
    const { accepts, x402Version } = expectProbe(await probeAs(stage, { url, method: 'GET' }), 'x402')
    expect(x402Version).toBe(2)
    expect(accepts).toMatchObject([{ amount: '30000', payable: true, notPayableReason: null }])
  })

  staged(target, 'x402 of a route that takes only POST, found without being told so', async (stage) => {
    const [{ url } = { url: '' }] = stage.translate.operations
    const { operations } = expectProbe(await probeAs(stage, { url }), 'x402')
    expect(operations).toMatchObject([{ method: 'POST', url }])
  })

  staged(target, 'x402 with what the operation takes, told by the bazaar extension', async (stage) => {
    const url = stage.scripted.set('/probed', challengeV2(stage.asked))
    const { operations } = expectProbe(await probeAs(stage, { url }), 'x402')
    expect(operations).toMatchObject([
      { method: 'GET', metadataEvidence: 'bazaar', inputSchema: { properties: { symbol: { type: 'string' } } } },
    ])
  })

  staged(target, 'x402 version 1, read from the body', async (stage) => {
    const url = stage.scripted.set('/v1', challengeV1(stage.asked))
    const result = expectProbe(await probeAs(stage, { url }), 'x402')
    expect(result).toMatchObject({
      x402Version: 1,
      accepts: [{ network: 'eip155:84532', amount: '10000' }],
      conformance: { declaredVersion: 1, versionConformant: true, offerTransport: 'body' },
    })
  })

  staged(target, 'mpp: recognised', async (stage) => {
    const url = stage.scripted.set('/mpp', challengeMpp)
    const { endpoint, challenge } = expectProbe(await probeAs(stage, { url }), 'mpp')
    expect(endpoint).toBe(url)
    expect(challenge).toMatchObject({
      realm: 'scripted',
      method: 'tempo',
      intent: 'charge',
      request: { amount: '10000' },
    })
  })

  staged(target, 'plain: an endpoint that asks for nothing', async (stage) => {
    const url = stage.scripted.set('/plain', plain)
    const { operations } = expectProbe(await probeAs(stage, { url, method: 'GET' }), 'plain')
    expect(operations).toMatchObject([{ method: 'GET', url, metadataEvidence: 'none' }])
  })

  staged(target, '422 endpoint_unreachable: a broken server, and a closed port', async (stage) => {
    for (const url of [stage.scripted.set('/broken', broken), 'http://127.0.0.1:9/']) {
      const answer = await stage.stranger.api.post(PATH, { url })
      const body = refused(listings.probe, answer, 422, 'endpoint_unreachable')
      expect(body.state).toEqual(expect.any(String))
    }
  })

  staged(target, '400 names the URL: addresses that are never fetched', async ({ stranger }) => {
    for (const url of ['http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/', 'http://[fd00::1]/']) {
      refused(listings.probe, await stranger.api.post(PATH, { url }), 400, 'invalid_request', 'url')
    }
  })

  staged(target, '400 names the field', async ({ stranger }) => {
    for (const [body, field] of [
      [{}, 'url'],
      [{ url: 'not a url' }, 'url'],
      [{ url: 'ftp://example.com/' }, 'url'],
      [{ url: 'https://user:secret@example.com/' }, 'url'],
      [{ url: 'https://example.com/', method: 'TRACE' }, 'method'],
      [{ url: 'https://example.com/', headers: {} }, 'headers'],
    ] as const) {
      refused(listings.probe, await stranger.api.post(PATH, body), 400, 'invalid_request', field)
    }
  })

  test('401 unauthorized: without a credential', async () => {
    const answer = await new Client(target().baseUrl).post(PATH, { url: 'https://example.com/' })
    refused(listings.probe, answer, 401, 'unauthorized')
  })
}
