import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setInterval as ticking } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type HttpMethod, livenessProber as operations } from '@callboard/contract'
import { wallet } from '@callboard/testkit'
import { encodeHeader } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { offer, PAY_TO, payableEntry, paywall, USDC } from './offers.ts'
import { oneProber } from './one-prober.ts'
import { selfSigned } from './self-signed.ts'
import { httpServer, tcpServer } from './servers.ts'

const prober = oneProber({ PROBE_TIMEOUT_MS: '700' })
const { serve, keep } = prober

const serveRaw = async (onSocket: Parameters<typeof tcpServer>[0]) => keep(await tcpServer(onSocket))
const probe = (url: string, method?: HttpMethod) => prober.probe(url, { method })

describe('challenges', () => {
  test('x402 version 2: the offer is read from the header and judged payable', async () => {
    const { origin } = await serve(paywall())
    expect(await probe(`${origin}/v1/quote?symbol=BTC`)).toMatchObject({
      state: 'ok_402',
      httpStatus: 402,
      latencyMs: expect.any(Number),
      checkedAt: expect.any(String),
      result: {
        kind: 'x402',
        x402Version: 2,
        endpoint: `${origin}/v1/quote?symbol=BTC`,
        accepts: [{ payable: true, notPayableReason: null, asset: USDC, payTo: PAY_TO, amount: '10000' }],
        operations: [{ method: 'GET', name: 'quote', description: 'A quote', metadataEvidence: 'probe' }],
        conformance: { declaredVersion: 2, versionConformant: true, offerTransport: 'header+body' },
      },
    })
  })

  test('x402: each accepted way to pay gets its own verdict', async () => {
    const accepts = [
      payableEntry({ scheme: 'upto' }),
      payableEntry({ network: 'eip155:1' }),
      payableEntry({ asset: PAY_TO }),
      payableEntry({ asset: USDC.toLowerCase() }),
      payableEntry({ extra: { name: 'GatewayWalletBatched', version: '1' } }),
    ]
    const { origin } = await serve(paywall({ accepts }))
    const { result } = await probe(origin)
    if (result?.kind !== 'x402') throw new Error('not read as x402')
    expect(result.accepts.map(({ notPayableReason }) => notPayableReason)).toEqual([
      'scheme',
      'network',
      'asset',
      null,
      'gateway-batched',
    ])
    expect(result.accepts[3]).toMatchObject({ payable: true, asset: USDC })
    expect(result.conformance.issues).toEqual(expect.arrayContaining(['ASSET_UNKNOWN', 'GATEWAY_BATCHED']))
  })

  test('x402 with discovery: method and schemas are those of the challenge', async () => {
    const inputSchema = { type: 'object', properties: { symbol: { type: 'string' } }, required: ['symbol'] }
    const bazaar = {
      info: { input: { type: 'http', method: 'POST', bodyType: 'json', body: {} } },
      schema: { properties: { input: { properties: { body: inputSchema } } } },
    }
    const { origin } = await serve(paywall({ extensions: { bazaar } }))
    const { result } = await probe(`${origin}/quote`)
    expect(result?.operations).toMatchObject([{ method: 'POST', metadataEvidence: 'bazaar', inputSchema }])
  })

  test('x402 version 1: the offer is read from the body', async () => {
    const { network: _, amount: __, ...entry } = payableEntry()
    const v1 = { ...entry, network: 'base', maxAmountRequired: '10000', resource: 'https://api.example/quote' }
    const { origin } = await serve((_req, res) =>
      res.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts: [v1] })),
    )
    expect(await probe(origin)).toMatchObject({
      state: 'ok_402',
      result: {
        kind: 'x402',
        x402Version: 1,
        accepts: [{ network: 'eip155:8453', payable: false, notPayableReason: 'network' }],
        conformance: { offerTransport: 'body' },
      },
    })
  })

  const mpp = 'Payment id="abc", realm="api.example", method="tempo", intent="charge", request="eyJhbW91bnQiOiIxMDAifQ"'

  test('MPP alone is recognised', async () => {
    const { origin } = await serve((_req, res) => res.writeHead(402, { 'www-authenticate': mpp }).end())
    expect(await probe(origin)).toMatchObject({
      state: 'mpp',
      result: { kind: 'mpp', challenge: { id: 'abc', method: 'tempo', intent: 'charge', request: { amount: '100' } } },
    })
  })

  test('MPP next to an x402 offer is x402', async () => {
    const { origin } = await serve((req, res) => {
      res.setHeader('www-authenticate', mpp)
      paywall()(req, res)
    })
    expect(await probe(origin)).toMatchObject({ state: 'ok_402', result: { kind: 'x402' } })
  })

  test.each([
    ['no accepts', offer({ accepts: [] }), 'ok_402_no_accepts'],
    ['version 3', offer({ x402Version: 3 }), 'wrong_version'],
    ['an array', [], 'ok_402_no_accepts'],
    ['nothing', null, 'ok_402_no_accepts'],
  ])('402 with %s is %s', async (_what, body, state) => {
    const { origin } = await serve((_req, res) => res.writeHead(402).end(JSON.stringify(body)))
    expect((await probe(origin)).state).toBe(state)
  })

  test.each<[string, string, RequestListener]>([
    ['transport', 'OFFER_ONLY_IN_BODY', (_req, res) => res.writeHead(402).end(JSON.stringify(offer()))],
    ['amount', 'AMOUNT_NOT_POSITIVE', paywall({ accepts: [payableEntry({ amount: '0' })] })],
    ['timeout', 'TIMEOUT_TOO_SHORT', paywall({ accepts: [payableEntry({ maxTimeoutSeconds: 1 })] })],
    ['payee', 'PAYTO_INVALID', paywall({ accepts: [payableEntry({ payTo: 'me' })] })],
    ['eip712-domain', 'EIP712_DOMAIN_MISSING', paywall({ accepts: [payableEntry({ extra: {} })] })],
    [
      'behind-unpayable',
      'X402_ACCEPT_ENTRY_INVALID',
      paywall({ accepts: [payableEntry({ amount: '0.01' }), payableEntry()] }),
    ],
  ])('an offer that no stock client can pay is down, for its %s', async (reason, issue, listener) => {
    const { origin } = await serve(listener)
    expect(await probe(origin)).toMatchObject({
      state: 'ok_402_no_accepts',
      result: {
        accepts: [{ payable: false, notPayableReason: reason }],
        conformance: { issues: expect.arrayContaining([issue]) },
      },
    })
  })

  test('an offer in the body next to the header is shown, but is not what stock clients pay', async () => {
    const header = encodeHeader(offer())
    const body = JSON.stringify(offer({ accepts: [payableEntry({ payTo: wallet(6).address })] }))
    const { origin } = await serve((_req, res) => res.writeHead(402, { 'payment-required': header }).end(body))
    expect(await probe(origin)).toMatchObject({
      state: 'ok_402',
      result: {
        accepts: [
          { payTo: PAY_TO, payable: true },
          { payTo: wallet(6).address, payable: false, notPayableReason: 'transport' },
        ],
      },
    })
  })

  test('values that Postgres cannot store are left out, and the rest is read', async () => {
    const accepts = [payableEntry({ extra: { name: 'USDC', version: '2', note: 'NUL \0 here' } })]
    const { origin } = await serve(paywall({ accepts, resource: { url: 'x', description: 'a\0b\ud800c' } }))
    const { result } = await probe(origin)
    expect(result).toMatchObject({
      kind: 'x402',
      accepts: [{ payable: true }],
      operations: [{ description: 'ab\ufffdc' }],
    })
    expect(JSON.stringify(result)).not.toContain('NUL')
  })
})

describe('methods', () => {
  test('the Allow header of a 405 says which method to try', async () => {
    const seen: string[] = []
    const { origin } = await serve((req, res) => {
      seen.push(String(req.method))
      if (req.method === 'PUT') paywall()(req, res)
      else res.writeHead(405, { allow: 'OPTIONS, PUT' }).end()
    })
    expect(await probe(origin)).toMatchObject({ state: 'ok_402', result: { operations: [{ method: 'PUT' }] } })
    expect(seen).toEqual(['GET', 'PUT'])
  })

  test.each([405, 404, 400])('a POST-only endpoint that answers GET with %i is found with one POST', async (status) => {
    const { origin } = await serve((req, res) =>
      req.method === 'POST' && req.headers['content-type'] === 'application/json'
        ? paywall()(req, res)
        : res.writeHead(status).end(),
    )
    expect(await probe(origin)).toMatchObject({ state: 'ok_402', result: { operations: [{ method: 'POST' }] } })
  })

  test('a declared method is the only one that is tried', async () => {
    const seen: string[] = []
    const { origin } = await serve((req, res) => {
      seen.push(String(req.method))
      res.writeHead(405, { allow: 'POST' }).end()
    })
    expect(await probe(origin, 'GET')).toMatchObject({ state: 'method_refused', httpStatus: 405 })
    expect(seen).toEqual(['GET'])
  })

  test('a body is made from the input schema, so that it passes a validator before the paywall', async () => {
    const { origin } = await serve((req, res) => {
      const chunks: Buffer[] = []
      req.on('data', (chunk) => chunks.push(chunk))
      req.on('end', () => {
        const { symbol, days } = JSON.parse(Buffer.concat(chunks).toString() || '{}')
        if (symbol === 'BTC' && days === 3) paywall()(req, res)
        else res.writeHead(422).end()
      })
    })
    const inputSchema = {
      type: 'object',
      required: ['symbol', 'days'],
      properties: { symbol: { enum: ['BTC', 'ETH'] }, days: { type: 'integer', minimum: 3 } },
    }
    const asked = { url: origin, method: 'POST' as const }
    expect(await prober.services.call(operations.probe, asked)).toMatchObject({ state: 'blocked_before_gate' })
    expect(await prober.services.call(operations.probe, { ...asked, inputSchema })).toMatchObject({ state: 'ok_402' })
  })
})

describe('answers that are no challenge', () => {
  test.each([
    [200, 'open'],
    [401, 'blocked_before_gate'],
    [403, 'blocked_before_gate'],
    [429, 'rate_limited'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('%i is %s', async (status, state) => {
    const { origin } = await serve((_req, res) => res.writeHead(status).end('x'))
    expect(await probe(origin)).toMatchObject({ state, httpStatus: status, result: { kind: 'plain' } })
  })

  test('a page of HTML is plain', async () => {
    const { origin } = await serve((_req, res) =>
      res.writeHead(402, { 'content-type': 'text/html' }).end('<html>{"accepts":[]}</html>'),
    )
    expect(await probe(origin)).toMatchObject({ state: 'ok_402_no_accepts', result: { kind: 'plain' } })
  })

  test('a redirect is a state of its own, and is not followed', async () => {
    const inner = await serve((_req, res) => res.end('secret'))
    const { origin } = await serve((_req, res) => res.writeHead(302, { location: `${inner.origin}/admin` }).end())
    expect(await probe(origin)).toMatchObject({ state: 'redirect', result: { kind: 'plain' } })
    expect(inner.connections()).toBe(0)
  })
})

describe('hostile servers', () => {
  const noAnswer = { result: null, httpStatus: null, latencyMs: null }

  test('headers that never come end with the deadline', async () => {
    const { origin } = await serveRaw((socket) => socket.write('HTTP/1.1 402 Payment Required\r\n'))
    expect(await probe(origin)).toMatchObject({ ...noAnswer, state: 'timeout' })
  })

  test('headers that drip end with the deadline', async () => {
    const { origin } = await serveRaw((socket) => void drip(socket, 'HTTP/1.1 402 OK\r\n', 'x-drip: 1\r\n'))
    expect(await probe(origin)).toMatchObject({ ...noAnswer, state: 'timeout' })
  })

  test('a body that drips ends with the deadline', async () => {
    const head = 'HTTP/1.1 402 OK\r\ncontent-length: 100000\r\n\r\n'
    const { origin } = await serveRaw((socket) => void drip(socket, head, '{'))
    expect(await probe(origin)).toMatchObject({ ...noAnswer, state: 'timeout' })
  })

  test('endless headers are cut at the cap', async () => {
    const { origin } = await serveRaw((socket) => {
      socket.write('HTTP/1.1 402 OK\r\n')
      for (let line = 0; line < 200; line += 1) socket.write(`x-${line}: ${'y'.repeat(1024)}\r\n`)
    })
    expect(await probe(origin)).toMatchObject({ ...noAnswer, state: 'too_large' })
  })

  test('an offer of 100 KiB in the header is read', async () => {
    const extensions = { padding: 'x'.repeat(60_000) }
    const { origin } = await serve((req, res) => paywall({ extensions })(req, res))
    expect(await probe(origin)).toMatchObject({
      state: 'ok_402_no_accepts',
      result: {
        accepts: [{ payable: false, notPayableReason: 'transport' }],
        conformance: { issues: expect.arrayContaining(['HEADERS_OVERFLOW']) },
      },
    })
  })

  test('a huge body is cut at the cap', async () => {
    const { origin } = await serve((_req, res) => {
      res.writeHead(402)
      const write = () => {
        while (!res.destroyed && res.write('x'.repeat(64 * 1024))) {}
      }
      res.on('drain', write)
      write()
    })
    expect(await probe(origin)).toMatchObject({ ...noAnswer, state: 'too_large' })
  })

  test('a gzip bomb is cut at the cap', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 32))
    const { origin } = await serve((_req, res) => res.writeHead(402, { 'content-encoding': 'gzip' }).end(bomb))
    const before = process.memoryUsage().rss
    expect(await probe(origin)).toMatchObject({ state: 'too_large' })
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024)
  })

  test('a closed port is unreachable, because it refuses the connection', async () => {
    const server = await httpServer(() => {})
    await server.close()
    const report = await probe(server.origin)
    expect(report).toEqual({
      ...noAnswer,
      state: 'unreachable',
      finding: 'connection_refused',
      checkedAt: expect.any(String),
      message: 'The endpoint’s host refuses the connection: nothing listens on the port.',
      mend: expect.any(String),
    })
  })

  test('an answer that is not HTTP is unreachable', async () => {
    const { origin } = await serveRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
    expect(await probe(origin)).toMatchObject({ ...noAnswer, state: 'unreachable' })
  })

  test('a certificate that no authority vouches for is `tls`', async () => {
    const server = createServer(selfSigned, paywall())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await probe(`https://127.0.0.1:${port}/`)).toMatchObject({ ...noAnswer, state: 'tls' })
    await new Promise((closed) => server.close(closed))
  })

  test.each(['http://169.254.169.254/latest/meta-data', 'http://10.0.0.1/', 'http://[fd00::1]/', 'http://0.0.0.0/'])(
    '%s is refused even though the devnet allows loopback',
    async (url) => {
      expect(await probe(url)).toMatchObject({ ...noAnswer, state: 'refused_target' })
    },
  )
})

async function drip(socket: { write(text: string): boolean; destroyed: boolean }, head: string, drop: string) {
  socket.write(head)
  for await (const _ of ticking(50)) {
    if (socket.destroyed) return
    socket.write(drop)
  }
}
