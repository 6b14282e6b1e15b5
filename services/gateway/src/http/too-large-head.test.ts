import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { refuseHead, refuseTunnels } from './too-large-head.ts'

const LOG = { info: () => undefined }

/** A server with the listeners. */
async function serverOf(options: ServerOptions, onRequest: RequestListener): Promise<Server> {
  const server = createServer(options, onRequest).on('clientError', refuseHead(LOG))
  refuseTunnels(server, LOG)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** A connection to such a server. */
async function connection(options: ServerOptions, onRequest: RequestListener): Promise<Socket> {
  const server = await serverOf(options, onRequest)
  onTestFinished(() => void server.close())
  return connect(portOf(server), '127.0.0.1')
}

const HASTY: ServerOptions = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 }

test.each([
  ['head', 'POST / HTTP/1.1\r\nhost: x\r\n'],
  ['body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc'],
])('a %s that does not arrive in time is told so, not that it is no HTTP', async (_part, sent) => {
  const socket = await connection(HASTY, (request) => request.resume())
  socket.write(sent)
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(answer).toContain('"request_timeout"')
  expect(answer).not.toContain('not HTTP')
})

test('what is not HTTP is told so', async () => {
  const socket = await connection({}, () => undefined)
  socket.write('not http\r\n\r\n')
  expect(await text(socket)).toContain('The request is not HTTP.')
})

test('a connection that has sent nothing is closed without an answer, which its next request would take for its own', async () => {
  const socket = await connection(HASTY, () => undefined)
  expect(await text(socket)).toBe('')
})

test('no refusal is written into an answer that has begun', async () => {
  const socket = await connection({}, (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('begun')
    socket.write('not http\r\n\r\n')
  })
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(await text(socket)).toMatch(/\r\n\r\nbegun$/)
})

test.each([
  ['asked for a tunnel', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['sent half a head', 'POST / HTTP/1.1\r\nhost: x\r\n'],
  ['sent half a body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc'],
  ['sent no HTTP', 'not http\r\n\r\n'],
])('a refused client that %s cannot keep its connection open', async (_what, sent) => {
  const server = await serverOf(HASTY, (request) => request.resume())
  const socket = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.write(sent)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 4/)
  await once(server.close(), 'close')
})
