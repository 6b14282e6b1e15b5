import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeHeader, PAYMENT_REQUIRED_HEADER } from '@callboard/x402'
import { corpus, type Endpoint, hostOf, SOURCE_HOST } from './corpus.ts'

/** The requests that the process has received so far. */
export interface Asked {
  readonly pages: number
  readonly pageBytes: number
  readonly robots: number
  /** Requests for the OpenAPI document, which the prober sends after a refusal before the payment gate. */
  readonly documents: number
  readonly probes: number
  readonly probeBytes: number
  /** The least time between calls of two resources of one origin, in milliseconds; null if no origin has two. */
  readonly leastGapMs: number | null
}

/** The source and all origins of the corpus, in a process of their own, so that their CPU is not counted as ours. */
const [resources = 0, origins = 0] = process.argv.slice(2, 4).map(Number)
const [asset = '', name = '', payTo = ''] = process.argv.slice(4)
const all = corpus({ resources, origins })
const byPlace = new Map(all.map((endpoint) => [`${hostOf(endpoint.origin)}${endpoint.path}`, endpoint]))
const forbidding = new Set(all.filter(({ kind }) => kind === 'forbidden').map(({ origin }) => hostOf(origin)))

const offerOn = (network: string) => ({
  x402Version: 2,
  resource: { url: 'http://mirror.localhost/item', description: 'An item', mimeType: 'application/json' },
  accepts: [
    { scheme: 'exact', network, asset, amount: '10000', payTo, maxTimeoutSeconds: 60, extra: { name, version: '2' } },
  ],
})
const paywall = (network: string) => {
  const offer = offerOn(network)
  const headers = { 'content-type': 'application/json', [PAYMENT_REQUIRED_HEADER]: encodeHeader(offer) }
  return { status: 402, headers, body: JSON.stringify(offer) }
}
const json = { 'content-type': 'application/json' }
const request = Buffer.from(JSON.stringify({ amount: '10000', currency: asset, recipient: payTo })).toString(
  'base64url',
)
const challenge = `Payment id="one", realm="mirror", method="tempo", intent="charge", request="${request}"`
const ANSWERS: Readonly<Record<Endpoint['kind'], { status: number; headers: Record<string, string>; body: string }>> = {
  payable: paywall('eip155:31337'),
  elsewhere: paywall('eip155:84532'),
  free: { status: 200, headers: json, body: '{"item":1}' },
  mpp: { status: 402, headers: { ...json, 'www-authenticate': challenge }, body: '{"status":402}' },
  missing: { status: 404, headers: json, body: '{"error":"not_found"}' },
  forbidden: paywall('eip155:31337'),
}

let [pages, pageBytes, robots, documents, probes, probeBytes, leastGapMs] = [0, 0, 0, 0, 0, 0, Number.POSITIVE_INFINITY]
const lastProbe = new Map<string, { readonly at: number; readonly path: string }>()

/** @returns the bytes of the body */
function send(res: ServerResponse, status: number, headers: Record<string, string>, body: string): number {
  const bytes = Buffer.byteLength(body)
  res.writeHead(status, { ...headers, 'content-length': String(bytes) }).end(body)
  return bytes
}

const server = createServer((req, res) => {
  const url = new URL(req.url ?? '/', `http://${req.headers.host}`)
  if (url.pathname === '/asked') {
    const asked: Asked = {
      ...{ pages, pageBytes, robots, documents, probes, probeBytes },
      leastGapMs: Number.isFinite(leastGapMs) ? leastGapMs : null,
    }
    send(res, 200, json, JSON.stringify(asked))
  } else if (url.pathname === '/robots.txt') {
    robots += 1
    if (forbidding.has(url.hostname)) send(res, 200, {}, 'User-agent: *\nDisallow: /\n')
    else send(res, 404, {}, '')
  } else if (url.pathname === '/openapi.json') {
    documents += 1
    send(res, 404, {}, '')
  } else if (url.hostname === SOURCE_HOST) {
    pages += 1
    const [limit, offset] = [Number(url.searchParams.get('limit')), Number(url.searchParams.get('offset'))]
    const items = all.slice(offset, offset + limit).map((endpoint) => ({
      resource: `http://${hostOf(endpoint.origin)}:${url.port}${endpoint.path}`,
      ...{ type: 'http', x402Version: 2, serviceName: `Item of ${endpoint.origin}`, description: 'An item.' },
      accepts: offerOn('eip155:31337').accepts,
    }))
    const page = { x402Version: 2, items, pagination: { limit, offset, total: all.length } }
    pageBytes += send(res, 200, json, JSON.stringify(page))
  } else {
    const now = performance.now()
    const last = lastProbe.get(url.hostname)
    // A resource refused before its gate is called again at once, after its origin's document.
    if (last && last.path !== url.pathname) leastGapMs = Math.min(leastGapMs, now - last.at)
    lastProbe.set(url.hostname, { at: now, path: url.pathname })
    probes += 1
    const { status, headers, body } = ANSWERS[byPlace.get(`${url.hostname}${url.pathname}`)?.kind ?? 'missing']
    probeBytes += send(res, status, headers, body)
  }
})
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
console.log(`corpus: ${(server.address() as AddressInfo).port}`)
