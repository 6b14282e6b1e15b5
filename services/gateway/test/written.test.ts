import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { written } from '../src/answers/written.ts'

const PIECE = Buffer.alloc(256 * 1024, 'a')
let server: Server
let client: Socket
let answer: ServerResponse

/** A client that has sent a request and reads nothing. */
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asked = once(server, 'request')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  answer = ((await asked) as [unknown, ServerResponse])[1]
})
afterEach(() => {
  client.destroy()
  server.closeAllConnections()
  server.close()
})

/** Writes until the kernel accepts no more. */
async function fill(): Promise<void> {
  while (answer.writableLength === 0) {
    answer.write(PIECE)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('written: resolves when the kernel has the whole answer, and not before', async () => {
  await fill()
  let isWritten = false
  const over = written(answer).then(() => {
    isWritten = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect({ isWritten, waits: answer.writableLength > 0 }).toEqual({ isWritten: false, waits: true })
  client.resume()
  await over
  expect(answer.writableLength).toBe(0)
})

test('written: resolves at once for a client that has gone', async () => {
  await fill()
  const over = written(answer)
  client.destroy()
  await over
})

test('written: resolves at once before anything was written, and sends no head', async () => {
  await written(answer)
  expect(answer.headersSent).toBe(false)
})
