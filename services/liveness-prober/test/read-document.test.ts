import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setInterval as ticking } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { livenessProber as operations } from '@callboard/contract'
import {
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
} from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { livenessProber } from '../src/index.ts'
import { leaseOrigin } from '../src/store/origin.repository.ts'
import { selfSigned } from './self-signed.ts'
import { type Counted, httpServer, tcpServer } from './servers.ts'

const MAX_BYTES = 1_024

let database: TestDatabase
let services: TestServices
let strict: TestServices
const servers: Counted[] = []

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  const start = (env: Record<string, string>) =>
    startTestServices([livenessProber], {
      databaseUrl: database.url,
      env: { DEVNET: UNREACHABLE_DEVNET, PROBE_TIMEOUT_MS: '700', ...env },
    })
  services = await start({ PROBE_ALLOW_LOOPBACK: 'true' })
  strict = await start({})
})
afterAll(async () => {
  await services.stop()
  await strict.stop()
  await Promise.all(servers.map((server) => server.close()))
  await database.drop()
})

async function serve(handler: RequestListener): Promise<Counted> {
  const server = await httpServer(handler)
  servers.push(server)
  return server
}

async function read(url: string, by: TestServices = services) {
  return granted(await by.call(operations.readDocument, { url, maxBytes: MAX_BYTES }))
}

describe('a document', () => {
  test('default: is returned with its type and the time for which it may be cached', async () => {
    const { origin } = await serve((_req, res) =>
      res
        .writeHead(200, { 'content-type': 'Application/JSON; charset=utf-8', 'cache-control': 'public, max-age=60' })
        .end('{"name":"Grüße"}'),
    )
    expect(await read(`${origin}/client.json?a=b`)).toEqual({
      ...{ ok: true, status: 200, mediaType: 'application/json', maxAgeSeconds: 60, text: '{"name":"Grüße"}' },
    })
  })

  test('without these headers has neither type nor age', async () => {
    const { origin } = await serve((_req, res) => res.end('x'))
    expect(await read(origin)).toMatchObject({ ok: true, mediaType: null, maxAgeSeconds: null, text: 'x' })
  })

  test.each([201, 206, 402, 404, 500])('is read only at 200: of a %i only the status is returned', async (status) => {
    const { origin } = await serve((_req, res) => res.writeHead(status).end('secret'))
    expect(await read(origin)).toMatchObject({ ok: true, status, text: '' })
  })

  test('is asked for by one GET, without credentials or cookies', async () => {
    const seen: unknown[] = []
    const { origin } = await serve((req, res) => {
      seen.push({ method: req.method, url: req.url, cookie: req.headers.cookie, auth: req.headers.authorization })
      res.end('{}')
    })
    await read(`${origin}/client.json`)
    expect(seen).toEqual([{ method: 'GET', url: '/client.json', cookie: undefined, auth: undefined }])
  })

  test('is read up to the limit in bytes, and with one byte more is too_large', async () => {
    const { origin } = await serve((req, res) => res.end('x'.repeat(Number(req.url?.slice(1)))))
    expect(await read(`${origin}/${MAX_BYTES}`)).toMatchObject({ ok: true, text: 'x'.repeat(MAX_BYTES) })
    expect(await read(`${origin}/${MAX_BYTES + 1}`)).toEqual({
      ...{ ok: false, state: 'too_large', message: expect.any(String) },
    })
  })

  test('is read while its origin is being visited, without waiting', async () => {
    const { origin } = await serve((_req, res) => res.end('x'))
    const ctx = services.contexts.get('liveness-prober')
    const lease = { origin, token: 'a visit' }
    expect(await leaseOrigin(ctx?.db as never, lease, { now: Date.now(), leaseMs: 60_000 })).toBe(true)
    expect(await read(origin)).toMatchObject({ ok: true, text: 'x' })
  })
})

describe('hostile servers', () => {
  test.each(['http://127.0.0.1', 'http://localhost', 'http://[::1]', 'http://10.0.0.1', 'http://169.254.169.254'])(
    'refused_target: %s, and no connection is opened',
    async (host) => {
      const server = await serve((_req, res) => res.end('secret'))
      const { port } = new URL(server.origin)
      expect(await read(`${host}:${port}/client.json`, strict)).toMatchObject({ ok: false, state: 'refused_target' })
      expect(server.connections()).toBe(0)
    },
  )

  test('a redirect is returned as a status, and is not followed', async () => {
    const inner = await serve((_req, res) => res.end('secret'))
    const { origin } = await serve((_req, res) => res.writeHead(302, { location: inner.origin }).end('moved'))
    expect(await read(origin)).toMatchObject({ ok: true, status: 302, text: '' })
    expect(inner.connections()).toBe(0)
  })

  test('timeout: a body that drips', async () => {
    const dripping = await tcpServer(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
      for await (const _ of ticking(50)) {
        if (socket.destroyed) return
        socket.write('{')
      }
    })
    servers.push(dripping)
    expect(await read(dripping.origin)).toMatchObject({ ok: false, state: 'timeout' })
  })

  test('too_large: an endless body, of which the rest is not read', async () => {
    const { origin } = await serve((_req, res) => {
      const write = () => {
        while (!res.destroyed && res.write('x'.repeat(65_536))) {}
      }
      res.on('drain', write)
      write()
    })
    expect(await read(origin)).toMatchObject({ ok: false, state: 'too_large' })
  })

  test('a compressed answer is decompressed, within the same cap', async () => {
    const packed = { small: gzipSync('{"a":1}'), bomb: gzipSync(Buffer.alloc(500_000, 32)) }
    expect(packed.bomb.length).toBeLessThan(MAX_BYTES)
    const { origin } = await serve((req, res) =>
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(req.url === '/small' ? packed.small : packed.bomb),
    )
    expect(await read(`${origin}/small`)).toMatchObject({ ok: true, text: '{"a":1}' })
    expect(await read(`${origin}/bomb`)).toMatchObject({ ok: false, state: 'too_large' })
  })

  test('tls: a certificate that no authority vouches for', async () => {
    const server = createSecureServer(selfSigned, (_req, res) => res.end('{}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await read(`https://127.0.0.1:${port}/`)).toMatchObject({ ok: false, state: 'tls' })
    await new Promise((closed) => server.close(closed))
  })

  test('unreachable: a closed port, about which the message says no more', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((closed) => server.close(closed))
    expect(await read(`http://127.0.0.1:${port}/`)).toEqual({
      ...{ ok: false, state: 'unreachable', message: 'The endpoint could not be reached.' },
    })
  })
})
