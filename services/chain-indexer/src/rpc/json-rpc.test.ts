import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { EndpointSettings } from './endpoint-settings.ts'
import { callAll } from './json-rpc.ts'
import { ProviderError } from './provider-error.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function endpoint(answer: RequestListener, more: Partial<EndpointSettings> = {}): Promise<EndpointSettings> {
  const listening = createServer(answer)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/v2/secret-key`
  const network = 'eip155:31337'
  const around: EndpointSettings['around'] = (_call, ask) => ask()
  return { url, network, around, timeoutMs: 20_000, maxResponseBytes: 100_000, batchSize: 3, ...more }
}

const never = new AbortController().signal
const call = (id: number) => ({ method: 'eth_test', params: [id] })
const json = { 'content-type': 'application/json' }

async function faultOf(asked: Promise<unknown>): Promise<ProviderError> {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ProviderError)) throw new Error('no ProviderError was thrown', { cause: error })
  return error
}

describe('callAll', () => {
  test('default: results are in the order of the calls, whatever the order and size of the batches', async () => {
    const sizes: number[] = []
    const node = await endpoint(async (req, res) => {
      const asked = [JSON.parse(await text(req))].flat() as { id: number; params: number[] }[]
      sizes.push(asked.length)
      const answers = asked.map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params[0] })).reverse()
      res.writeHead(200, json).end(JSON.stringify(answers.length === 1 ? answers[0] : answers))
    })
    const calls = Array.from({ length: 40 }, (_, at) => call(at))
    expect(await callAll(node, calls, never)).toEqual(calls.map(({ params }) => params[0]))
    expect(Math.max(...sizes)).toBe(3)
    expect(await callAll(node, [], never)).toEqual([])
  })

  test('credentials of the URL are sent as a header, as the other services send them', async () => {
    let seen: string | undefined
    const node = await endpoint((req, res) => {
      seen = req.headers.authorization
      res.writeHead(200, json).end('{"jsonrpc":"2.0","id":0,"result":"0x1"}')
    })
    const url = node.url.replace('//', '//name:p%40ss@')
    expect(await callAll({ ...node, url }, [call(1)], never)).toEqual(['0x1'])
    expect(seen).toBe(`Basic ${Buffer.from('name:p@ss').toString('base64')}`)
  })

  test.each([
    ['refused', 200, '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"block range too large"}}'],
    ['refused', 400, '{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"block range too large"}}'],
    ['rate_limited', 200, '{"jsonrpc":"2.0","id":0,"error":{"code":-32005,"message":"rate limit exceeded"}}'],
    ['rate_limited', 429, '<html>slow down</html>'],
    ['garbage', 200, '<html>welcome</html>'],
    ['garbage', 200, '{"jsonrpc":"2.0","id":7,"result":"0x1"}'],
    ['garbage', 200, '"0x1"'],
    ['http', 503, 'unavailable'],
    ['http', 302, ''],
  ] as const)('error: %s, for HTTP %i with %s', async (fault, status, body) => {
    const node = await endpoint((_req, res) => res.writeHead(status, { location: '/elsewhere' }).end(body))
    const error = await faultOf(callAll(node, [call(1)], never))
    expect(error.fault).toBe(fault)
    expect(`${error.message} ${String(error.cause)}`).not.toContain('secret-key')
  })

  test('error: one refused call of a batch refuses the whole batch', async () => {
    const node = await endpoint((_req, res) =>
      res.writeHead(200, json).end(
        JSON.stringify([
          { jsonrpc: '2.0', id: 0, result: 1 },
          { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'unknown block' } },
        ]),
      ),
    )
    expect(await faultOf(callAll(node, [call(1), call(2)], never))).toMatchObject({ message: 'unknown block' })
  })

  test.each([
    ['seconds', '120', 120_000],
    ['a date', new Date(Date.now() + 60_000).toUTCString(), 60_000],
  ])('error: Retry-After as %s is passed on', async (_form, header, expected) => {
    const node = await endpoint((_req, res) => res.writeHead(429, { 'retry-after': header }).end())
    const { retryAfterMs = 0 } = await faultOf(callAll(node, [call(1)], never))
    expect(retryAfterMs).toBeLessThanOrEqual(expected)
    expect(retryAfterMs).toBeGreaterThan(expected - 20_000)
  })

  test('error: too_large, for a body beyond the limit, counted after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 32))
    const plain = await endpoint((_req, res) => res.writeHead(200, json).end(' '.repeat(200_000)))
    expect((await faultOf(callAll(plain, [call(1)], never))).fault).toBe('too_large')
    server?.close()
    const zipped = await endpoint((_req, res) => res.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb))
    expect((await faultOf(callAll(zipped, [call(1)], never))).fault).toBe('too_large')
  })

  test('error: timeout, for an answer that trickles in', async () => {
    const node = await endpoint(
      (_req, res) => {
        res.writeHead(200, json)
        const drip = setInterval(() => res.write(' '), 20)
        res.on('close', () => clearInterval(drip))
      },
      { timeoutMs: 150 },
    )
    expect((await faultOf(callAll(node, [call(1)], never))).fault).toBe('timeout')
  })

  test('behavior: sends four requests at once, and the next when all four are answered', async () => {
    const waves: number[] = []
    const waiting: (() => void)[] = []
    const node = await endpoint(
      async (req, res) => {
        const { id, params } = JSON.parse(await text(req)) as { id: number; params: number[] }
        waiting.push(() => res.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result: params[0] })))
        if (waiting.length < (waves.length === 0 ? 4 : 2)) return
        waves.push(waiting.length)
        for (const answer of waiting.splice(0)) answer()
      },
      { batchSize: 1 },
    )
    expect(await callAll(node, [1, 2, 3, 4, 5, 6].map(call), never)).toEqual([1, 2, 3, 4, 5, 6])
    expect(waves).toEqual([4, 2])
  })

  test('behavior: a transient failure is retried, and each attempt is measured by its method', async () => {
    const seen: unknown[] = []
    const around: EndpointSettings['around'] = async ({ network, method, isAnswer }, ask) => {
      const refused = new ProviderError('refused', 'no')
      seen.push([network, method, isAnswer(refused), isAnswer(new ProviderError('http', 'no')), isAnswer(new Error())])
      return ask()
    }
    let attempts = 0
    const node = await endpoint(
      (_req, res) => {
        attempts += 1
        res.writeHead(attempts === 1 ? 503 : 200, json).end('{"jsonrpc":"2.0","id":0,"result":"0x1"}')
      },
      { around },
    )
    expect(await callAll(node, [call(1)], never)).toEqual(['0x1'])
    const measured = ['eip155:31337', 'eth_test', true, false, false]
    expect(seen).toEqual([measured, measured])
  })

  test('error: unreachable, after a second and a third attempt', async () => {
    const node = await endpoint(() => {})
    server?.close()
    expect((await faultOf(callAll(node, [call(1)], never))).fault).toBe('unreachable')
  })

  test('behavior: an abort counts as the caller’s, not as a fault of the provider', async () => {
    const node = await endpoint(() => {})
    const stopping = new AbortController()
    const asked = callAll(node, [call(1)], stopping.signal)
    stopping.abort(new Error('stopping'))
    await expect(asked).rejects.toThrow('stopping')
  })
})
