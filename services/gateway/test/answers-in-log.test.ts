import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { catalog, router } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { createLogger, type Running, startServices } from '@callboard/runtime'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gateway } from '../src/index.ts'

const lines: Record<string, unknown>[] = []
const log = createLogger(
  'info',
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()))
      done()
    },
  }),
)

let running: Running
let port: number

beforeAll(async () => {
  port = await freePort()
  running = await startServices([gateway], { env: { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` }, log })
})
afterAll(() => running.stop())

const logged = (expected: object) =>
  until('it is written', () => lines.find((one) => Object.entries(expected).every(([name, is]) => one[name] === is)))

/** Sends a request, and leaves once something holds. @returns what arrived of the answer */
async function left(bytes: string, when: (received: string) => boolean): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.write(bytes)
  await until('it is time to leave', () => when(text))
  socket.destroy()
  return text
}

test('a client that leaves before its answer is on one line of the log and among the durations, as 499', async () => {
  let isAsked = false
  running.bus.serve(catalog.activity, () => {
    isAsked = true
    return new Promise(() => {})
  })
  await left('GET /api/call/activity HTTP/1.1\r\nhost: x\r\n\r\n', () => isAsked)
  await logged({ operation: 'catalog.activity', status: 499, msg: 'cut off' })
  const metrics = await (await fetch(`http://127.0.0.1:${running.adminPort}/metrics`)).text()
  expect(metrics).toMatch(/duration_seconds_count\{operation="catalog\.activity",status="499"\} 1\n/)
})

test('the X-Request-Id of an answer that its client left is on one line of the log, with its status', async () => {
  running.bus.serveStream(router.createChatCompletion, async function* (_input, call) {
    yield { status: 200, headers: { 'content-type': 'text/event-stream' } }
    yield { text: 'data: x\n\n' }
    await once(call.signal, 'abort')
  })
  const body = '{"model":"a","messages":[{"role":"user"}],"stream":true}'
  const head = 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer cb_router_x\r\n'
  const sized = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  const answer = await left(head + sized + body, (received) => received.includes('data: x'))
  const requestId = /^x-request-id: (\S+)/im.exec(answer)?.[1]
  await logged({ request_id: requestId, operation: 'router.createChatCompletion', status: 200, msg: 'cut off' })
  expect(lines.filter((one) => one.request_id === requestId)).toHaveLength(1)
})

/** Sends raw bytes. @returns the `X-Request-Id` of the answer */
function sent(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject).on('close', () => resolve(/^x-request-id: (\S+)/im.exec(text)?.[1] ?? ''))
    socket.write(bytes)
  })
}

test.each([
  ['a page', 'GET /llms.txt HTTP/1.1', { status: 200 }],
  ['a path that is not there', 'GET /nothing HTTP/1.1', { status: 404, operation: 'none', route: 'none' }],
  ['a service that is away', 'GET /api/call/stats HTTP/1.1', { status: 503, operation: 'catalog.stats' }],
  ['a method that is not there', 'PROPFIND /api/call/discovery HTTP/1.1', { status: 405 }],
  ['a path that the router refuses', 'GET /% HTTP/1.1', { status: 400 }],
  ['a parameter that is too long', `GET /api/calls/${'a'.repeat(257)} HTTP/1.1`, { status: 400 }],
  ['a proxy’s request', 'CONNECT x:443 HTTP/1.1', { status: 405 }],
  ['bytes that are no HTTP', 'HELLO', { status: 400 }],
  ['a head that is too large', `GET /${'a'.repeat(100_000)} HTTP/1.1`, { status: 431 }],
])('%s: the X-Request-Id of the answer is on one line of the log, with its status', async (_, line, expected) => {
  const requestId = await sent(`${line}\r\nhost: x\r\nconnection: close\r\n\r\n`)
  expect(requestId).toMatch(/^[\w-]{36}$/)
  const named = () => lines.filter((one) => one.request_id === requestId && one.msg === 'answered')
  await until('it is written', () => named().length > 0)
  expect(named()).toEqual([expect.objectContaining(expected)])
})
