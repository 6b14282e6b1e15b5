import type { IncomingMessage, RequestListener } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { until } from '@callboard/testkit'
import { encodeHeader } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { offer, payableEntry, paywall } from './offers.ts'
import { oneProber } from './one-prober.ts'
import { completed, publishChanged } from './sources.ts'

const prober = oneProber({ PROBE_TIMEOUT_MS: '2000', PROBE_POLL_MS: '20' })
const { serve, probe } = prober

async function jsonOf(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
}

/** A seller with validation in front of its gate; its document is at `/openapi.json`. */
const validating =
  (passes: (req: IncomingMessage, body: unknown) => boolean, document?: object): RequestListener =>
  async (req, res) => {
    if (req.url === '/openapi.json') {
      res.writeHead(document ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(document ?? {}))
    } else if (passes(req, await jsonOf(req))) paywall()(req, res)
    else res.writeHead(422).end('{"detail":"no"}')
  }

const isBitcoin = (body: unknown) => (body as { symbol?: string })?.symbol === 'BTC'

describe('a sample of the owner passes a validation before the gate', () => {
  test('as a body, whose method is then POST unless another is declared', async () => {
    const { origin } = await serve(validating((req, body) => req.method === 'POST' && isBitcoin(body)))
    expect(await probe(origin, { method: 'POST' })).toMatchObject({ finding: 'wants_input' })
    const { state, result } = await probe(origin, { sample: { body: { symbol: 'BTC' } } })
    expect({ state, operations: result?.operations }).toMatchObject({
      state: 'ok_402',
      operations: [{ method: 'POST' }],
    })
  })

  test('as the schema of a body', async () => {
    const { origin } = await serve(validating((_req, body) => isBitcoin(body)))
    const schema = { required: ['symbol'], properties: { symbol: { enum: ['BTC'] } } }
    expect(await probe(origin, { method: 'PUT', sample: { schema } })).toMatchObject({ state: 'ok_402' })
  })

  test('as query and headers, while the URL of the endpoint stays as it is', async () => {
    const seen: (string | undefined)[] = []
    const { origin } = await serve((req, res) => {
      seen.push(req.url)
      const isRight = req.url === '/?pair=EUR&days=3' && req.headers['x-api-version'] === '2'
      if (isRight) paywall()(req, res)
      else res.writeHead(400).end()
    })
    const sample = { query: { days: '3', pair: 'USD' }, headers: { 'x-api-version': '2' } }
    const { state, result } = await probe(`${origin}/?pair=EUR`, { method: 'GET', sample })
    expect({ state, result }).toMatchObject({ state: 'ok_402', result: { endpoint: `${origin}/?pair=EUR` } })
    expect(seen).toEqual(['/?pair=EUR&days=3'])
  })

  test('in every check of the schedule', async () => {
    const { origin } = await serve(validating((_req, body) => isBitcoin(body)))
    const operation = { name: 'Quote', method: 'POST' as const, url: `${origin}/quote`, description: '' }
    const sample = { body: { symbol: 'BTC' } }
    const more = { metadataEvidence: 'none' as const, price: '0.01', payment: null, sample }
    await publishChanged(prober.services, 'sampled', [], { operations: [{ ...operation, ...more }] })
    const [first] = await until('a check', async () => {
      const checks = await completed(prober.database, 'sampled')
      return checks.length > 0 && checks
    })
    expect(first).toMatchObject({ state: 'ok_402', finding: 'payable' })
  })
})

describe('the OpenAPI document of the origin', () => {
  const post = (schema: object, more: object = {}) => ({
    requestBody: { content: { 'application/json': { schema, ...more } } },
    responses: { 402: { description: 'Payment Required' } },
  })
  const symbol = { type: 'object', required: ['symbol'], properties: { symbol: { enum: ['BTC'] } } }

  test('gives method and body', async () => {
    const paths = { '/quote': { get: { responses: {} }, post: post(symbol) } }
    const { origin } = await serve(validating((req, body) => req.method === 'POST' && isBitcoin(body), { paths }))
    expect(await probe(`${origin}/quote`)).toMatchObject({
      state: 'ok_402',
      result: { operations: [{ method: 'POST', metadataEvidence: 'openapi', inputSchema: symbol }] },
    })
    expect(await probe(`${origin}/quote`, { method: 'POST' })).toMatchObject({ state: 'ok_402' })
  })

  test.each<[string, object]>([
    ['an example', { paths: { '/v1/{pair}': { post: post({}, { example: { symbol: 'BTC' } }) } } }],
    [
      'a reference within it',
      { paths: { '/v1/{pair}': { post: post({ $ref: '#/components/a~1b' }) } }, components: { 'a/b': symbol } },
    ],
    ['the path of its server', { servers: [{ url: '/v1' }], paths: { '/{pair}': { post: post(symbol) } } }],
    ['the path with fewer places', { paths: { '/{a}/{b}': { post: post({}) }, '/v1/{pair}': { post: post(symbol) } } }],
  ])('is read with %s', async (_what, document) => {
    const { origin } = await serve(validating((req, body) => req.method === 'POST' && isBitcoin(body), document))
    expect(await probe(`${origin}/v1/eur`)).toMatchObject({ state: 'ok_402' })
  })

  test('gives the required query', async () => {
    const parameters = [
      { name: 'q', in: 'query', required: true, schema: { type: 'string', minLength: 3 } },
      { $ref: '#/components/parameters/days' },
      { name: 'optional', in: 'query', schema: { type: 'string' } },
    ]
    const days = { name: 'days', in: 'query', required: true, example: 7 }
    const document = { paths: { '/search': { get: { parameters } } }, components: { parameters: { days } } }
    const { origin } = await serve(validating(({ url }) => url === '/search?q=probe&days=7', document))
    expect(await probe(`${origin}/search`, { method: 'GET' })).toMatchObject({ state: 'ok_402' })
  })

  test('gives the required headers, except those that carry credentials or have no value there', async () => {
    const header = (name: string, more: object) => ({ name, in: 'header', required: true, ...more })
    const parameters = [
      header('X-Api-Version', { schema: { type: 'string', default: '2' } }),
      header('Accept-Language', { example: 'de' }),
      header('X-Unit', { examples: { one: { $ref: '#/components/examples/unit' } } }),
      header('Authorization', { example: 'Bearer stolen' }),
      header('Cookie', { example: 'session=stolen' }),
      header('X-Api-Key', { example: 'stolen' }),
      header('X-Forwarded-For', { example: '10.0.0.1' }),
      header('X-Lines', { example: 'a\r\nb: c' }),
      header('X-Unknown', { schema: { type: 'string' } }),
      { name: 'X-Optional', in: 'header', example: 'never' },
    ]
    const components = { examples: { unit: { value: 7 } } }
    const document = { paths: { '/search': { parameters: [], get: { parameters } } }, components }
    const seen: IncomingMessage['headers'][] = []
    const { origin } = await serve(
      validating((req) => {
        seen.push(req.headers)
        return req.headers['x-api-version'] === '2'
      }, document),
    )
    expect(await probe(`${origin}/search`, { method: 'GET' })).toMatchObject({ state: 'ok_402' })
    const [, { host: _, connection: __, 'user-agent': ___, ...sent } = {}] = seen
    expect(sent).toEqual({
      accept: 'application/json',
      'accept-encoding': 'identity',
      'accept-language': 'de',
      'x-api-version': '2',
      'x-unit': '7',
    })

    const sample = { headers: { 'x-api-version': '3' } }
    expect(await probe(`${origin}/search`, { method: 'GET', sample })).toMatchObject({ finding: 'wants_input' })
    expect(seen.at(-1)).toMatchObject({ 'x-api-version': '3', 'x-unit': '7' })
  })

  test('is read once for all endpoints of an origin, and only if a request is refused', async () => {
    let reads = 0
    const document = { paths: { '/a': { post: post(symbol) }, '/b': { post: post(symbol) } } }
    const { origin } = await serve((req, res) => {
      if (req.url === '/openapi.json') reads += 1
      if (req.url === '/paid') paywall()(req, res)
      else validating((_req, body) => isBitcoin(body), document)(req, res)
    })
    expect(await probe(`${origin}/paid`)).toMatchObject({ state: 'ok_402' })
    expect(reads).toBe(0)
    for (const path of ['/a', '/b'])
      expect(await probe(`${origin}${path}`, { method: 'POST' })).toMatchObject({ state: 'ok_402' })
    expect(reads).toBe(1)
  })

  test.each<[string, RequestListener]>([
    ['without end', (_req, res) => void res.writeHead(200).end('x'.repeat(300 * 1024))],
    [
      'that refers to itself',
      (_req, res) => void res.end('{"paths":{"/x":{"post":{"requestBody":{"$ref":"#/paths/~1x/post/requestBody"}}}}}'),
    ],
    ['that is no JSON', (_req, res) => void res.end('openapi: 3.1.0')],
    ['elsewhere', (_req, res) => void res.writeHead(302, { location: 'https://docs.example/openapi.json' }).end()],
  ])('%s is ignored', async (_what, document) => {
    const { origin } = await serve((req, res) => {
      if (req.url === '/openapi.json') document(req, res)
      else res.writeHead(422).end()
    })
    expect(await probe(`${origin}/x`, { method: 'POST' })).toMatchObject({ finding: 'wants_input', httpStatus: 422 })
  })
})

describe('a body is read as the stock client reads it', () => {
  const { network: _, amount: __, ...entry } = payableEntry()
  const v1 = { ...entry, network: 'base', maxAmountRequired: '10000', resource: 'https://api.example/quote' }
  const text = JSON.stringify({ x402Version: 1, accepts: [v1] })
  const bodies: Record<string, Buffer> = {
    gzip: gzipSync(text),
    'x-gzip': gzipSync(text),
    br: brotliCompressSync(text),
    deflate: deflateSync(text),
    DEFLATE: deflateRawSync(text),
    zstd: zstdCompressSync(text),
    'gzip, br': brotliCompressSync(gzipSync(text)),
    identity: Buffer.from(text),
    compress: Buffer.from(text),
  }

  test.each(Object.entries(bodies))('coded as %s', async (coding, body) => {
    const { origin } = await serve((_req, res) => res.writeHead(402, { 'content-encoding': coding }).end(body))
    const stock: unknown = await (await fetch(origin)).json()
    expect(stock).toMatchObject({ x402Version: 1 })
    expect(await probe(origin)).toMatchObject({ state: 'ok_402', result: { kind: 'x402', x402Version: 1 } })
  })

  test('behind a byte order mark', async () => {
    const { origin } = await serve((_req, res) => res.writeHead(402).end(`\ufeff${text}`))
    expect(await probe(origin)).toMatchObject({ state: 'ok_402', result: { x402Version: 1 } })
  })

  test('but is no body if its coding is broken, and a header next to it then counts', async () => {
    const headers = { 'content-encoding': 'gzip', 'payment-required': encodeHeader(offer()) }
    const { origin } = await serve((_req, res) => res.writeHead(402, headers).end('no gzip'))
    expect(await probe(origin)).toMatchObject({ state: 'ok_402', finding: 'payable', contentEncoding: 'gzip' })
  })

  test('but is named by its coding if no client can decode it', async () => {
    const { origin } = await serve((_req, res) => res.writeHead(402, { 'content-encoding': 'exi' }).end('\u0001'))
    expect(await probe(origin)).toMatchObject({
      finding: 'offer_coding_unread',
      contentEncoding: 'exi',
      message: expect.stringContaining('coded as exi'),
    })
  })
})

test('every challenge, extension, route template and entry that was read is shown', async () => {
  const mpp = (id: string, method: string) =>
    `Payment id="${id}", realm="api.example", method="${method}", intent="charge", request="eyJhbW91bnQiOiIxMDAifQ", expires="2026-12-01T00:00:00Z"`
  const challenges = [mpp('a', 'tempo'), mpp('b', 'lightning')]
  const extensions = {
    bazaar: { info: { input: { type: 'http', method: 'GET' } }, routeTemplate: '/quote/:pair' },
    'payment-identifier': { info: { required: false } },
  }
  const accepts = [payableEntry(), { scheme: 'exact', network: 'base' }]
  const { origin } = await serve((req, res) => {
    res.setHeader('www-authenticate', challenges)
    paywall({ extensions, accepts })(req, res)
  })
  expect((await probe(`${origin}/quote/eur`)).result).toMatchObject({
    kind: 'x402',
    extensions,
    operations: [{ routeTemplate: '/quote/:pair' }],
    challenges: [
      { id: 'a', method: 'tempo', expires: '2026-12-01T00:00:00Z' },
      { id: 'b', method: 'lightning' },
    ],
    unread: [{ index: 1, issue: 'NETWORK_CAIP2_INVALID', entry: { scheme: 'exact', network: 'base' } }],
  })
  const alone = await serve((_req, res) => res.writeHead(402, { 'www-authenticate': challenges.join(', ') }).end())
  expect((await probe(alone.origin)).result).toMatchObject({
    kind: 'mpp',
    challenge: { id: 'a' },
    challenges: [{ id: 'a', request: { amount: '100' } }, { id: 'b' }],
  })
})
