import { type DiagnosedProbe, listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS } from '../../expectations/specification.ts'
import {
  broken,
  challengeInBody,
  challengeMpp,
  challengeV1,
  challengeV2,
  mcpServer,
  plain,
} from '../../sellers/scripted.ts'
import { type Stage, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/listings/probe'

const probeAs = async ({ visitor }: Stage, body: object): Promise<DiagnosedProbe> =>
  accepted(listings.probe, await visitor.api.post(PATH, body))

/** Compared only where the answer has it. */
const OPTIONAL = ['redirectTo', 'methods', 'contentEncoding'] as const
const beside = { x402: ['unread', 'extensions', 'challenges'], mpp: ['challenges'], mcp: [], plain: [] } as const
const fields = {
  x402: FIELDS.probeX402,
  mpp: FIELDS.probeMpp,
  mcp: FIELDS.probeMcp,
  plain: FIELDS.probePlain,
} as const

function expectProbe<Kind extends DiagnosedProbe['kind']>(result: DiagnosedProbe, kind: Kind) {
  if (result.kind !== kind) expect.fail(`The probe is ${result.kind}, not ${kind}`)
  const optional = OPTIONAL.filter((field) => field in result)
  expectFields(result, [...fields[kind], ...FIELDS.diagnosed, ...beside[kind], ...optional])
  for (const { metadataEvidence } of result.operations) expect(metadataEvidence).toEqual(expect.any(String))
  return result as Extract<DiagnosedProbe, { kind: Kind }>
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

  staged(target, 'x402 of a route that accepts only POST, found without being given the method', async (stage) => {
    const [{ url } = { url: '' }] = stage.translate.operations
    const { operations } = expectProbe(await probeAs(stage, { url }), 'x402')
    expect(operations).toMatchObject([{ method: 'POST', url }])
  })

  staged(target, 'x402 with the operation’s input, as described by the bazaar extension', async (stage) => {
    const url = stage.scripted.set('/probed', challengeV2(stage.asked))
    const { operations } = expectProbe(await probeAs(stage, { url }), 'x402')
    expect(operations).toMatchObject([
      { method: 'GET', metadataEvidence: 'bazaar', inputSchema: { properties: { symbol: { type: 'string' } } } },
    ])
  })

  staged(
    target,
    'x402 of a route that validates before it asks for payment, probed with a valid sample',
    async (stage) => {
      const url = stage.scripted.set('/validated', (req, res) => {
        if (req.headers['x-api-version'] === '2' && req.url?.endsWith('?symbol=ETH')) challengeV2(stage.asked)(req, res)
        else res.writeHead(422).end()
      })
      const sample = { query: { symbol: 'ETH' }, headers: { 'x-api-version': '2' } }
      const { endpoint } = expectProbe(await probeAs(stage, { url, method: 'GET', sample }), 'x402')
      expect(endpoint).toBe(url)
    },
  )

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

  staged(target, 'mcp: the paid tools of a server, with their prices', async (stage) => {
    const url = stage.scripted.set('/mcp', mcpServer('quote', stage.asked))
    const { finding, endpoint, tools, offered } = expectProbe(await probeAs(stage, { url }), 'mcp')
    expect({ finding, endpoint }).toEqual({ finding: 'mcp_tools_sold', endpoint: url })
    const { scheme, network, asset, amount, payTo } = stage.asked
    const asked = { scheme, network, asset, amount, payTo, payable: false }
    expect(tools).toMatchObject([{ name: 'quote', x402Version: 2, accepts: [asked] }])
    expect(offered).toMatchObject([{ ...asked, mend: expect.any(String) }])
  })

  staged(target, 'plain: an endpoint that asks for no payment', async (stage) => {
    const url = stage.scripted.set('/plain', plain)
    const { operations } = expectProbe(await probeAs(stage, { url, method: 'GET' }), 'plain')
    expect(operations).toMatchObject([{ method: 'GET', url, metadataEvidence: 'none' }])
  })

  staged(target, 'each finding comes with its fix, and links to a page that describes it', async (stage) => {
    const found = async (path: string, behaviour: Parameters<Stage['scripted']['set']>[1]) =>
      accepted(
        listings.probe,
        await stage.provider.api.post(PATH, { url: stage.scripted.set(path, behaviour), method: 'GET' }),
      )
    const wrong = await found('/wrong-chain', challengeV2({ ...stage.asked, network: 'eip155:1' }))
    expect(wrong).toMatchObject({
      finding: 'payable_elsewhere',
      offered: [{ network: 'eip155:1', payable: false, message: expect.any(String), mend: expect.any(String) }],
      wanted: expect.arrayContaining([{ scheme: 'exact', network: stage.asked.network, asset: stage.asked.asset }]),
    })
    const hidden = await found('/hidden', challengeInBody(stage.asked))
    expect(hidden).toMatchObject({
      state: 'ok_402_no_accepts',
      finding: 'offer_only_in_body',
      issues: expect.arrayContaining([expect.objectContaining({ code: 'OFFER_ONLY_IN_BODY' })]),
    })
    const refusing = await found('/post-only', (_req, res) => res.writeHead(405, { allow: 'POST' }).end())
    expect(refusing).toMatchObject({ kind: 'plain', finding: 'method_refused', httpStatus: 405, methods: ['POST'] })
    for (const { docs } of [wrong, hidden, refusing]) {
      const { pathname, hash } = new URL(docs)
      const page = await fetch(new URL(pathname, target().baseUrl))
      expect(await page.text()).toContain(`id="${hash.slice(1)}"`)
    }
  })

  staged(target, '422 endpoint_unreachable: a broken server, and a closed port', async (stage) => {
    for (const [url, state, finding] of [
      [stage.scripted.set('/broken', broken), 'server_error', 'server_error'],
      ['http://127.0.0.1:9/', 'unreachable', 'connection_refused'],
    ]) {
      const answer = await stage.visitor.api.post(PATH, { url })
      const body = refused(listings.probe, answer, 422, 'endpoint_unreachable')
      expect(body).toMatchObject({ state, finding, mend: expect.any(String), docs: expect.any(String) })
    }
  })

  staged(target, '400 names the URL: addresses that are never fetched', async ({ visitor }) => {
    for (const url of ['http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/', 'http://[fd00::1]/']) {
      refused(listings.probe, await visitor.api.post(PATH, { url }), 400, 'invalid_request', 'url')
    }
  })

  staged(target, '400 names the field', async ({ visitor }) => {
    for (const [body, field] of [
      [{}, 'url'],
      [{ url: 'not a url' }, 'url'],
      [{ url: 'ftp://example.com/' }, 'url'],
      [{ url: 'https://user:secret@example.com/' }, 'url'],
      [{ url: 'https://example.com/', method: 'TRACE' }, 'method'],
      [{ url: 'https://example.com/', headers: {} }, 'headers'],
      [{ url: 'https://example.com/', sample: { headers: { authorization: 'x' } } }, 'sample.headers.authorization'],
    ] as const) {
      refused(listings.probe, await visitor.api.post(PATH, body), 400, 'invalid_request', field)
    }
  })

  test('401 unauthorized: without a credential', async () => {
    const answer = await new Client(target().baseUrl).post(PATH, { url: 'https://example.com/' })
    refused(listings.probe, answer, 401, 'unauthorized')
  })
}
