import { connect } from 'node:net'
import { Writable } from 'node:stream'
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
