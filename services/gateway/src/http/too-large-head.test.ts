import { once } from 'node:events'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { refuseHead } from './too-large-head.ts'

/** A server with the listener, and a connection to it. */
async function connection(options: ServerOptions, onRequest: RequestListener): Promise<Socket> {
  const server = createServer(options, onRequest).on('clientError', refuseHead({ info: () => undefined }))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return connect((server.address() as AddressInfo).port, '127.0.0.1')
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
