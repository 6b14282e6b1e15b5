import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { isAnswer } from './answers.ts'
import { rpcTransport } from './rpc-transport.ts'

interface Asked {
  readonly id: number
  readonly method: string
  readonly params?: unknown
}
type Answerer = (asked: Asked | Asked[], response: ServerResponse, request: IncomingMessage) => unknown

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A node that answers as told; JSON is returned, and undefined means that the answer was written by hand. */
async function node(answerer: Answerer) {
  const bodies: (Asked | Asked[])[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const asked = JSON.parse(text)
    bodies.push(asked)
    const answer = answerer(asked, response, request)
    if (answer !== undefined) response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { bodies, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}` }
}

const open = (url: string, more: { isBatched?: boolean; timeoutMs?: number } = {}) =>
  rpcTransport(url, { timeoutMs: 2_000, retryCount: 0, isBatched: true, ...more })({}).request

const echoed = ({ id, method }: Asked) => ({ jsonrpc: '2.0', id, result: `of ${method}` })
const inReverse: Answerer = (asked) => (Array.isArray(asked) ? asked.map(echoed).toReversed() : echoed(asked))
const errorOf = (asking: Promise<unknown>) =>
  asking.then(
    () => undefined,
    (error) => error,
  )

describe('JSON-RPC over HTTP', () => {
  test('requests of one turn are one batch, and each gets its own answer in whatever order they come', async () => {
    const { url, bodies } = await node(inReverse)
    const request = open(url)
    const answers = await Promise.all(['a', 'b', 'c'].map((method) => request({ method })))
    expect(answers).toEqual(['of a', 'of b', 'of c'])
    expect(bodies).toHaveLength(1)
  })

  test('a single request is no batch', async () => {
    const { url, bodies } = await node(inReverse)
    expect(await open(url)({ method: 'a', params: ['0x1'] })).toBe('of a')
    expect(bodies).toEqual([{ jsonrpc: '2.0', id: 1, method: 'a', params: ['0x1'] }])
  })

  test('without batches, each request travels by itself', async () => {
    const { url, bodies } = await node(inReverse)
    const request = open(url, { isBatched: false })
    expect(await Promise.all(['a', 'b'].map((method) => request({ method })))).toEqual(['of a', 'of b'])
    expect(bodies).toHaveLength(2)
  })

  test('null is an answer', async () => {
    const { url } = await node((asked) => ({ id: (asked as Asked).id, result: null }))
    expect(await open(url)({ method: 'a' })).toBeNull()
  })

  test('the node’s refusal is its answer, with any status, alone, in a batch and for a whole batch', async () => {
    const error = { code: -32000, message: 'no', data: '0x01' }
    for (const status of [200, 429, 500]) {
      const alone = await node((asked, response) => {
        response.statusCode = status
        return { id: (asked as Asked).id, error }
      })
      const refused = await errorOf(open(alone.url)({ method: 'a' }))
      expect(isAnswer(refused)).toBe(true)
      expect(refused).toMatchObject({ code: -32000, cause: { data: '0x01' } })
    }
    const mixed = await node((asked) => (asked as Asked[]).map((one, at) => (at ? { id: one.id, error } : echoed(one))))
    const request = open(mixed.url)
    const [first, second] = await Promise.all([request({ method: 'a' }), errorOf(request({ method: 'b' }))])
    expect([first, isAnswer(second)]).toEqual(['of a', true])
    const whole = open((await node(() => ({ id: null, error }))).url)
    const all = await Promise.all([errorOf(whole({ method: 'a' })), errorOf(whole({ method: 'b' }))])
    expect(all.map(isAnswer)).toEqual([true, true])
  })

  test.each([
    ['a result with a status of failure', 500, (id: number) => JSON.stringify({ id, result: '0x1' })],
    ['a page', 502, () => '<html>Bad gateway</html>'],
    ['a page with status 200', 200, () => '<html>Welcome</html>'],
    ['neither result nor error', 200, (id: number) => JSON.stringify({ id, message: 'slow down' })],
    ['null', 200, () => 'null'],
    ['a redirect', 308, () => ''],
  ])('%s is no answer', async (_what, status, text) => {
    const { url, bodies } = await node((asked, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end(text((asked as Asked).id))
    })
    const error = await errorOf(open(url)({ method: 'a' }))
    expect(error).toMatchObject({ name: 'HttpRequestError', status })
    expect(isAnswer(error)).toBe(false)
    expect(bodies).toHaveLength(1)
  })

  test.each([
    ['lacks one', (asked: Asked[]) => asked.slice(1).map(echoed)],
    ['has other ids', (asked: Asked[]) => asked.map((one) => echoed({ ...one, id: one.id + 10 }))],
    ['has a hole', (asked: Asked[]) => [null, ...asked.slice(1).map(echoed)]],
  ])('an answer to a batch that %s answers none of it', async (_what, answerer) => {
    const request = open((await node((asked) => answerer(asked as Asked[]))).url)
    const errors = await Promise.all(['a', 'b'].map((method) => errorOf(request({ method }))))
    expect(errors.map((error) => [error?.name, isAnswer(error)])).toEqual(Array(2).fill(['HttpRequestError', false]))
  })

  test('an answer that does not come, begins and stops, or is too long, is none', async () => {
    const silent = await node(() => undefined)
    expect(await errorOf(open(silent.url, { timeoutMs: 100 })({ method: 'a' }))).toMatchObject({ name: 'TimeoutError' })
    const stalled = await node((_asked, response) => void response.write('{"id":1,'))
    expect(await errorOf(open(stalled.url, { timeoutMs: 100 })({ method: 'a' }))).toMatchObject({
      name: 'TimeoutError',
    })
    const long = await node((_asked, response) => void response.end(`"${'x'.repeat(11 * 1024 * 1024)}"`))
    expect(await errorOf(open(long.url)({ method: 'a' }))).toMatchObject({ name: 'HttpRequestError' })
  })

  test('a batch whose answer is too long is asked for again in halves', async () => {
    const { url, bodies } = await node((asked) =>
      [asked].flat().map((one) => ({ ...echoed(one), result: one.method.repeat(4 * 1024 * 1024) })),
    )
    const request = open(url)
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((method) => request({ method })))
    expect(answers.map((answer) => String(answer)[0])).toEqual(['a', 'b', 'c', 'd'])
    expect(bodies.map((body) => [body].flat().length)).toEqual([4, 2, 2])
  })

  test('an unreachable node is none, and the error says so', async () => {
    const error = await errorOf(open('http://127.0.0.1:1')({ method: 'a' }))
    expect(error).toMatchObject({ name: 'HttpRequestError', cause: { code: 'ECONNREFUSED' } })
  })

  test('credentials of the URL are sent as a header, and no error shows them', async () => {
    let seen: string | undefined
    const { host } = await node((asked, response, request) => {
      seen = request.headers.authorization
      response.statusCode = 500
      return echoed(asked as Asked)
    })
    const error = await errorOf(open(`http://name:p%40ss@${host}`)({ method: 'a' }))
    expect(seen).toBe(`Basic ${Buffer.from('name:p@ss').toString('base64')}`)
    expect(String(error?.message)).not.toContain('p%40ss')
  })

  test('no error shows the key of a provider in the path or the query of the URL', async () => {
    const refused = await node((asked) => ({ id: (asked as Asked).id, error: { code: -32000, message: 'no' } }))
    const failing = await node((_asked, response) => void response.writeHead(502).end('<html>'))
    const silent = await node(() => undefined)
    for (const host of [refused.host, failing.host, silent.host, '127.0.0.1:1']) {
      const request = open(`http://${host}/v2/a-key?apikey=another-key`, { timeoutMs: 200 })
      const error = await errorOf(request({ method: 'a' }))
      expect(inspect(error, { depth: 10, showHidden: true }), host).toContain(`http://${host}`)
      expect(inspect(error, { depth: 10, showHidden: true }), host).not.toMatch(/a-key|another-key/)
    }
  })
})
