import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeUnread } from '../src/http/unread-answers.ts'

const PATIENCE_MS = 1_000
/** More than the kernel takes in. */
const BODY = Buffer.alloc(32 * 1024 * 1024, 'a')
let server: Server
let client: Socket
/** How long the server thinks before it answers. */
let thinksMs: number

beforeEach(async () => {
  thinksMs = 0
  server = createServer(async (_request, response) => {
    await wait(thinksMs)
    response.setHeader('content-length', BODY.length).end(BODY)
  }).listen(0, '127.0.0.1')
  closeUnread(server, PATIENCE_MS)
  await once(server, 'listening')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.on('error', () => {})
})
afterEach(() => {
  client.destroy()
  server.closeAllConnections()
  server.close()
})

const ask = async () => {
  const asked = once(server, 'request')
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [, response] = await asked
  return response
}

/** Reads a piece at a time. @returns how many bytes came */
async function read(everyMs: number): Promise<number> {
  let bytes = 0
  while (bytes < BODY.length) {
    const piece: Buffer | null = client.read()
    bytes += piece?.length ?? 0
    if (client.readableEnded || client.destroyed) break
    await wait(everyMs)
  }
  return bytes
}

test('the connection of a client that reads nothing is closed, and its answer is let go', async () => {
  const response = await ask()
  await once(response, 'close')
  expect(response.writableFinished).toBe(false)
})

test('a client that reads slowly gets the whole answer', async () => {
  await ask()
  expect(await read(5)).toBeGreaterThan(BODY.length)
})

test('an answer may be awaited for longer than that, on a connection that is used again', async () => {
  for (const thinks of [0, 2 * PATIENCE_MS, 0]) {
    thinksMs = thinks
    await ask()
    expect(await read(1)).toBeGreaterThan(BODY.length)
  }
})
