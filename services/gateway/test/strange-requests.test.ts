import { connect } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
let port: number

beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'))
  port = Number(new URL(edge.base).port)
})
afterAll(() => edge.stop())

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a request line unchanged: `fetch` would fix it. */
function send(line: string, more: readonly string[] = [], host: readonly string[] = ['host: x']): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject).on('close', () => resolve(answerIn(text)))
    socket.write(`${[line, ...host, 'connection: close', ...more].join('\r\n')}\r\n\r\n`)
  })
}

function answerIn(text: string): Answered {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  return { status: Number(status.split(' ')[1]), headers, body }
}

const long = 'a'.repeat(257)

test.each([
  ['a path parameter of 257 characters', `GET /api/calls/${long} HTTP/1.1`, 400, 'invalid_request'],
  ['the same with a method that is not there', `PUT /api/calls/${long} HTTP/1.1`, 405, 'method_not_allowed'],
  ['an encoded parameter of 257 characters', `GET /api/calls/${'%61'.repeat(257)} HTTP/1.1`, 400, 'invalid_request'],
  ['the method QUERY', 'QUERY /api/call/discovery HTTP/1.1', 405, 'method_not_allowed'],
  ['the method QUERY of no route', 'QUERY /nothing HTTP/1.1', 404, 'not_found'],
  ['the method PROPFIND', 'PROPFIND /api/call/discovery HTTP/1.1', 405, 'method_not_allowed'],
  ['the method TRACE', 'TRACE /api/call/discovery HTTP/1.1', 405, 'method_not_allowed'],
  ['a percent sign alone', 'GET /% HTTP/1.1', 400, 'invalid_request'],
  ['a percent sign alone in a parameter', 'GET /api/calls/% HTTP/1.1', 400, 'invalid_request'],
  ['a percent sign alone under another method', 'PUT /api/calls/% HTTP/1.1', 400, 'invalid_request'],
  ['bytes that are no UTF-8', 'GET /%ff HTTP/1.1', 400, 'invalid_request'],
  ['bytes that are no UTF-8 in a parameter', 'GET /api/calls/%ff HTTP/1.1', 400, 'invalid_request'],
  ['two slashes', 'GET // HTTP/1.1', 404, 'not_found'],
  ['two slashes and a name', 'GET //x/y HTTP/1.1', 404, 'not_found'],
  ['nothing where a parameter stands', 'GET /api/calls/ HTTP/1.1', 404, 'not_found'],
  [
    'nothing where a parameter stands, before a credential is asked for',
    'DELETE /api/agents/ HTTP/1.1',
    404,
    'not_found',
  ],
  ['nothing where a parameter in between stands', 'GET /api/agents/backup-relays//result HTTP/1.1', 404, 'not_found'],
  ['an encoded slash', 'GET /api%2Fcall HTTP/1.1', 404, 'not_found'],
  ['an absolute form of no route', 'GET http://x/nothing HTTP/1.1', 404, 'not_found'],
  ['an absolute form of a route', 'GET http://x/api/call/discovery?limit=0 HTTP/1.1', 400, 'invalid_request'],
  ['an absolute form under another method', 'PUT http://x/api/call/discovery HTTP/1.1', 405, 'method_not_allowed'],
  ['another scheme', 'GET ftp://x/api/call/discovery HTTP/1.1', 404, 'not_found'],
  ['the asterisk form', 'GET * HTTP/1.1', 404, 'not_found'],
  ['no slash', 'GET api/call/discovery HTTP/1.1', 400, 'invalid_request'],
  ['a fragment', 'GET /nothing#here HTTP/1.1', 404, 'not_found'],
  ['a semicolon', 'GET /api/call/discovery;x=1 HTTP/1.1', 404, 'not_found'],
  ['no HTTP', 'NONSENSE', 400, 'invalid_request'],
  ['a method that is none', 'FOO /api/call/discovery HTTP/1.1', 400, 'invalid_request'],
  ['CONNECT', 'CONNECT x:80 HTTP/1.1', 405, 'method_not_allowed'],
])('%s gets JSON with its status and a request id', async (_what, line, status, error) => {
  const answer = await send(line)
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status,
    body: expect.stringContaining(`"error":"${error}"`),
  })
  expect(answer.headers['content-type']).toContain('application/json')
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test.each([
  ['of a route', 'OPTIONS /api/call/discovery HTTP/1.1', 405, 'GET, HEAD'],
  ['of a paid route', 'OPTIONS /x402/decode HTTP/1.1', 405, 'POST'],
  ['of the server', 'OPTIONS * HTTP/1.1', 204, undefined],
])('a plain OPTIONS %s names the methods', async (_of, line, status, allow) => {
  const answer = await send(line)
  expect({ status: answer.status, allow: answer.headers.allow }).toEqual({ status, allow })
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('a request without Host, or with two, is refused with a message, and an unknown expectation is ignored', async () => {
  const hostless = await send('GET /api/call/discovery HTTP/1.1', [], [])
  expect(hostless).toMatchObject({ status: 400, body: expect.stringContaining('"field":"host"') })
  const twice = await send('GET /api/call/discovery HTTP/1.1', ['HOST: other.example'])
  expect(twice).toMatchObject({ status: 400, body: expect.stringContaining('host: must be given once') })
  expect((await send('GET /nothing HTTP/1.1', ['expect: wonders'])).status).toBe(404)
})

test('a request without a route is refused, whatever its body', async () => {
  const text = ['content-type: text/plain', 'content-length: 0']
  expect((await send('POST /nothing HTTP/1.1', text)).status).toBe(404)
  expect((await send('PUT /api/call/discovery HTTP/1.1', text)).status).toBe(405)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
    const plain = await send('OPTIONS /account HTTP/1.1', [`content-type: ${type}`, 'content-length: 0'])
    expect({ status: plain.status, allow: plain.headers.allow }, type).toEqual({
      status: 405,
      allow: 'GET, HEAD, POST',
    })
    expect(plain.body).toContain('"method_not_allowed"')
  }
})

test.each(['application/x-www-form-urlencoded', 'text/plain', 'application/json'])(
  'a request without content is not refused for the %s that it does not send',
  async (type) => {
    const nothing = [`content-type: ${type}`, 'content-length: 0']
    // It came as far as the service, which does not run here.
    const noBody = await send('POST /api/call/listings/some-listing/resync HTTP/1.1', nothing)
    expect(noBody).toMatchObject({ status: 503, body: expect.stringContaining('"temporarily_unavailable"') })
    const aBody = await send('POST /api/auth/session HTTP/1.1', nothing)
    expect(aBody).toMatchObject({ status: 400, body: expect.stringContaining('"field":"message"') })
    const form = await send('POST /oauth/token HTTP/1.1', nothing)
    expect(form).toMatchObject({ status: 400, body: expect.stringContaining('grant_type') })
  },
)

test('a plain OPTIONS of an unknown path is a 404', async () => {
  const answer = await send('OPTIONS /nothing HTTP/1.1')
  expect(answer.status).toBe(404)
  expect(answer.body).toContain('"not_found"')
})

test.each([
  ['a member', '/api/auth/session', { ['a'.repeat(200_000)]: 1 }],
  ['a parameter', `/api/auth/session?${'a'.repeat(20_000)}=1`, {}],
])('a refusal is short, however long the name of %s is', async (_what, path, body) => {
  const answer = await fetch(edge.base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'a', signature: '0x00', ...body }),
  })
  expect(answer.status).toBe(400)
  const text = await answer.text()
  expect(text).toContain(`"field":"${'a'.repeat(256)}"`)
  expect(text.length).toBeLessThan(2_000)
})
