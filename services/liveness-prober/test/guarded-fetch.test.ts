import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addressPolicy, dnsResolver, type Fetched, type Guard, guardedOrigin } from '../src/guarded-fetch/index.ts'
import { nameServer } from './name-servers.ts'
import { type Counted, httpServer, tcpServer } from './servers.ts'

const anyPort = { ports: new Set([0, 80, 443]), refusedCidrs: [] }
const reads = { status: 200, maxBytes: 1_024 }

let v4: Counted
let v6: Counted
let guard: Guard

beforeEach(async () => {
  v4 = await httpServer((_req, res) => res.end('secret'))
  v6 = await httpServer((_req, res) => res.end('secret'), '::1', v4.port)
  guard = {
    // The port is allowed, so that only the address can be the reason for a refusal.
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
    expect(await fetchOnce(`http://${host}:${v4.port}/`)).toEqual({ ok: false, failure: 'refused_target' })
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
    expect(fetched).toEqual({ ok: false, failure: 'refused_target' })
    expect(connections()).toBe(0)
  })

  test('a port that is not allowed, on a host that is', async () => {
    const fetched = await fetchOnce('http://provider.example:6379/', { resolve: async () => ['93.184.216.34'] })
    expect(fetched).toEqual({ ok: false, failure: 'refused_target' })
  })

  test.each(['http://127.0.0.1:0/', 'http://provider.example:0/'])('port 0: %s', async (href) => {
    const how = {
      resolve: async () => ['93.184.216.34'],
      reachable: addressPolicy({ ...anyPort, allowLoopback: true }),
    }
    expect(await fetchOnce(href, how)).toEqual({ ok: false, failure: 'refused_target' })
  })

  test.each([`http://user:pass@127.0.0.1/`, 'ftp://provider.example/', 'file:///etc/passwd'])('%s', async (href) => {
    expect(await fetchOnce(href)).toEqual({ ok: false, failure: 'refused_target' })
  })
})

describe('DNS rebinding', () => {
  test('a name that is first public and then private never reaches the private address', async () => {
    const answers = [['192.0.2.1'], ['93.184.216.34'], ['127.0.0.1']]
    let asked = 0
    const resolve = async () => answers[Math.min(asked++, answers.length - 1)] ?? []
    const url = `http://rebinding.example:${v4.port}/`
    await fetchOnce(url, { resolve })
    await fetchOnce(url, { resolve })
    expect(await fetchOnce(url, { resolve })).toEqual({ ok: false, failure: 'refused_target' })
    expect(connections()).toBe(0)
  })

  test('a connection resolves once and goes exactly to the address that was judged', async () => {
    const other = await httpServer((_req, res) => res.end('other'), '127.0.0.2', v4.port)
    let asked = 0
    const resolve = async () => [asked++ === 0 ? '127.0.0.1' : '127.0.0.2']
    const reachable = (address: string) => address === '127.0.0.1'
    const url = `http://rebinding.example:${v4.port}/`
    expect(await fetchOnce(url, { resolve, reachable })).toMatchObject({ ok: true, status: 200 })
    expect(asked).toBe(1)
    expect(await fetchOnce(url, { resolve, reachable })).toEqual({ ok: false, failure: 'refused_target' })
    expect([v4.connections(), other.connections()]).toEqual([1, 0])
    await other.close()
  })
})

describe('names', () => {
  test('that do not resolve, or whose servers fail, are `dns`', async () => {
    const url = 'http://nowhere.example/'
    expect(await fetchOnce(url, { resolve: async () => [] })).toEqual({ ok: false, failure: 'dns_no_address' })
    const failing = async () => Promise.reject(new Error('SERVFAIL'))
    expect(await fetchOnce(url, { resolve: failing })).toEqual({ ok: false, failure: 'dns' })
  })

  test.each([
    ['does not exist', 3, 'dns_no_such_name'],
    ['has no address', 0, 'dns_no_address'],
    ['its server fails for', 2, 'dns'],
    ['its server refuses', 5, 'dns'],
  ] as const)('have a failure of their own for one that %s', async (_what, rcode, failure) => {
    const server = await nameServer(rcode)
    const resolve = dnsResolver(500, [server.address])
    expect(await fetchOnce('http://name.example/', { resolve })).toEqual({ ok: false, failure })
    await server.close()
  })

  test('that exist, but whose host refuses the connection, are not `dns`', async () => {
    const { port, close } = await httpServer(() => {})
    await close()
    const how = { resolve: async () => ['127.0.0.1'], reachable: () => true }
    const refused = { ok: false, failure: 'connection_refused' }
    expect(await fetchOnce(`http://name.example:${port}/`, how)).toEqual(refused)
  })

  test('whose servers never answer end with the deadline', async () => {
    const resolve = () => new Promise<never>(() => {})
    const fetched = await fetchOnce('http://silent.example/', {
      resolve,
      connectTimeoutMs: 20_000,
      totalTimeoutMs: 300,
    })
    expect(fetched).toEqual({ ok: false, failure: 'timeout' })
  })
})

test('requests carry no credentials or cookies, ask for identity encoding and say who calls', async () => {
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

test('a kept connection that the server closed meanwhile is reopened, once', async () => {
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

describe('the bytes that one answer takes off the wire are bounded', () => {
  /** Writes a head, if any, and then the same bytes for ever, as fast as they are accepted. */
  async function endless(head: string, more: string): Promise<{ fetched: Fetched; sent: number }> {
    let sent = 0
    const server = await tcpServer((socket) => {
      const send = (text: string) => {
        sent += text.length
        return socket.write(text)
      }
      const pump = () => {
        while (!socket.destroyed && send(more)) {
          // Until the buffers are full.
        }
      }
      socket.on('drain', pump)
      socket.once('data', () => {
        send(head)
        pump()
      })
    })
    const fetched = await fetchOnce(server.origin, { reachable: () => true, totalTimeoutMs: 60_000 })
    await server.close()
    return { fetched, sent }
  }

  const LINK = `Link: <${'x'.repeat(1_000)}>\r\n`

  test.each([
    ['interim responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['large interim responses', '', `HTTP/1.1 103 Early Hints\r\n${LINK.repeat(100)}\r\n`],
    ['a head', 'HTTP/1.1 200 OK\r\n', LINK],
    ['a chunk extension', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'x'.repeat(1_000)],
    ['trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', LINK],
    ['a body', 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(1_000)],
  ])('%s without end', async (_what, head, more) => {
    const { fetched, sent } = await endless(head, more)
    expect(fetched).toEqual({ ok: false, failure: 'too_large' })
    // Less was read; the rest is in the buffers of two sockets.
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  test('a few interim responses before the answer are skipped', async () => {
    const server = await tcpServer((socket) => {
      socket.on('data', () => {
        socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(3))
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
      })
    })
    const url = new URL(server.origin)
    const origin = guardedOrigin(url, { ...guard, reachable: () => true })
    for (let request = 0; request < 20; request += 1) {
      expect(await origin.fetch({ url, method: 'GET', reads })).toMatchObject({ ok: true, bodyText: '{}' })
    }
    expect(server.connections()).toBe(1)
    await origin.close()
    await server.close()
  })

  test('an answer of its full size in small chunks is read', async () => {
    const server = await httpServer((_req, res) => {
      for (let at = 0; at < 1_024; at += 8) res.write('x'.repeat(8))
      res.end()
    })
    expect(await fetchOnce(server.origin, { reachable: () => true })).toMatchObject({
      ok: true,
      bodyText: 'x'.repeat(1_024),
    })
    await server.close()
  })
})
