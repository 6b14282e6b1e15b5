import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addressPolicy, dnsResolver, type Fetched, type Guard, guardedOrigin } from '../src/guarded-fetch/index.ts'
import { type Counted, httpServer } from './servers.ts'

const reads = { status: 200, maxBytes: 1_024 }

let v4: Counted
let v6: Counted
let guard: Guard

beforeEach(async () => {
  v4 = await httpServer((_req, res) => res.end('secret'))
  v6 = await httpServer((_req, res) => res.end('secret'), '::1', v4.port)
  guard = {
    // The port is allowed, so that only the address can be what refuses.
    reachable: addressPolicy({ ports: new Set([v4.port]), refusedCidrs: [], allowLoopback: false }),
    resolve: dnsResolver(500),
    connectTimeoutMs: 500,
    totalTimeoutMs: 1_500,
    userAgent: 'CallboardProber/test',
  }
})
afterEach(() => Promise.all([v4.close(), v6.close()]))

async function fetchOnce(href: string, how: Partial<Guard> = {}): Promise<Fetched> {
  const url = new URL(href)
  const origin = guardedOrigin(url, { ...guard, ...how })
  try {
    return await origin.fetch({ url, method: 'GET', reads })
  } finally {
    await origin.close()
  }
}

const connections = () => v4.connections() + v6.connections()

describe('no connection is opened to', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '%31%32%37.0.0.1',
    '0.0.0.0',
    '0',
    'localhost',
    'localhost.',
    'LOCALHOST',
    'any.localhost',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
  ])('http://%s', async (host) => {
    expect(await fetchOnce(`http://${host}:${v4.port}/`)).toEqual({ ok: false, state: 'refused_target' })
    expect(connections()).toBe(0)
  })

  test.each([
    ['a private address', ['127.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['a private address beside a public one', ['93.184.216.34', '127.0.0.1']],
    ['IPv4 inside IPv6', ['::ffff:127.0.0.1']],
  ])('a name that resolves to %s', async (_what, addresses) => {
    const resolve = async () => addresses
    const fetched = await fetchOnce(`http://provider.example:${v4.port}/`, { resolve })
    expect(fetched).toEqual({ ok: false, state: 'refused_target' })
    expect(connections()).toBe(0)
  })

  test('a port that is not allowed, of a host that is', async () => {
    const fetched = await fetchOnce('http://provider.example:6379/', { resolve: async () => ['93.184.216.34'] })
    expect(fetched).toEqual({ ok: false, state: 'refused_target' })
  })

  test.each([`http://user:pass@127.0.0.1/`, 'ftp://provider.example/', 'file:///etc/passwd'])('%s', async (href) => {
    expect(await fetchOnce(href)).toEqual({ ok: false, state: 'refused_target' })
  })
})

describe('DNS rebinding', () => {
  test('a name that is public first and private afterwards never reaches the private address', async () => {
    const answers = [['192.0.2.1'], ['93.184.216.34'], ['127.0.0.1']]
    let asked = 0
    const resolve = async () => answers[Math.min(asked++, answers.length - 1)] ?? []
    const url = `http://rebinding.example:${v4.port}/`
    await fetchOnce(url, { resolve })
    await fetchOnce(url, { resolve })
    expect(await fetchOnce(url, { resolve })).toEqual({ ok: false, state: 'refused_target' })
    expect(connections()).toBe(0)
  })

  test('a connection asks once and goes exactly where the answer was judged', async () => {
    const other = await httpServer((_req, res) => res.end('other'), '127.0.0.2', v4.port)
    let asked = 0
    const resolve = async () => [asked++ === 0 ? '127.0.0.1' : '127.0.0.2']
    const reachable = (address: string) => address === '127.0.0.1'
    const url = `http://rebinding.example:${v4.port}/`
    expect(await fetchOnce(url, { resolve, reachable })).toMatchObject({ ok: true, status: 200 })
    expect(asked).toBe(1)
    expect(await fetchOnce(url, { resolve, reachable })).toEqual({ ok: false, state: 'refused_target' })
    expect([v4.connections(), other.connections()]).toEqual([1, 0])
    await other.close()
  })
})

describe('names', () => {
  test('that do not resolve, or whose servers fail, are `dns`', async () => {
    const url = 'http://nowhere.example/'
    expect(await fetchOnce(url, { resolve: async () => [] })).toEqual({ ok: false, state: 'dns' })
    const failing = async () => Promise.reject(new Error('SERVFAIL'))
    expect(await fetchOnce(url, { resolve: failing })).toEqual({ ok: false, state: 'dns' })
  })

  test('whose servers never answer end with the deadline', async () => {
    const resolve = () => new Promise<never>(() => {})
    const fetched = await fetchOnce('http://silent.example/', {
      resolve,
      connectTimeoutMs: 20_000,
      totalTimeoutMs: 300,
    })
    expect(fetched).toEqual({ ok: false, state: 'timeout' })
  })
})

test('requests carry no credentials or cookies, ask for identity and say who calls', async () => {
  const seen: Record<string, unknown>[] = []
  const server = await httpServer((req, res) => {
    seen.push(req.headers)
    res.writeHead(200, { 'set-cookie': 'id=1' }).end()
  })
  const url = new URL(`${server.origin}/x?y=1`)
  const origin = guardedOrigin(url, { ...guard, reachable: () => true })
  await origin.fetch({ url, method: 'GET', reads })
  await origin.fetch({ url, method: 'POST', body: '{}', reads })
  await origin.close()
  await server.close()
  for (const headers of seen) {
    expect(headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'CallboardProber/test' })
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['authorization']))
    expect(headers.cookie).toBeUndefined()
  }
  expect(seen).toHaveLength(2)
})

test('a caller that gives up gets its own reason, not a state of the endpoint', async () => {
  const silent = await httpServer(() => {})
  const url = new URL(silent.origin)
  const origin = guardedOrigin(url, { ...guard, reachable: () => true })
  const signal = AbortSignal.abort(new Error('gave up'))
  await expect(origin.fetch({ url, method: 'GET', reads }, signal)).rejects.toThrow('gave up')
  await origin.close()
  await silent.close()
})

test('a kept connection that the server closed meanwhile is opened again, once', async () => {
  const server = await httpServer((req, res) => {
    if (req.url === '/second' && server.connections() === 1) req.socket.destroy()
    else res.end('{}')
  })
  const url = new URL(`${server.origin}/first`)
  const origin = guardedOrigin(url, { ...guard, reachable: () => true })
  expect(await origin.fetch({ url, method: 'GET', reads })).toMatchObject({ ok: true })
  expect(await origin.fetch({ url: new URL('/second', url), method: 'GET', reads })).toMatchObject({ ok: true })
  expect(server.connections()).toBe(2)
  await origin.close()
  await server.close()
})
