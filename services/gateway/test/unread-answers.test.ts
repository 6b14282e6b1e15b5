import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeUnread } from '../src/http/unread-answers.ts'

const PATIENCE_MS = 1_000
/** More than the kernel takes in. */
const BODY = Buffer.alloc(32 * 1024 * 1024, 'a')
const END_OF_HEAD = '\r\n\r\n'
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

/** Reads a piece at a time. @returns whether the whole answer came, and nothing of it is left for the next one */
async function readWhole(everyMs: number): Promise<boolean> {
  let bytes = 0
  let length = Number.POSITIVE_INFINITY
  while (bytes < length && !client.readableEnded && !client.destroyed) {
    const piece: Buffer | null = client.read()
    if (piece && bytes === 0) length = piece.indexOf(END_OF_HEAD) + END_OF_HEAD.length + BODY.length
    bytes += piece?.length ?? 0
    await wait(everyMs)
  }
  return bytes === length
}

test('the connection of a client that reads nothing is closed, and its answer is let go', async () => {
  const response = await ask()
  await once(response, 'close')
  expect(response.writableFinished).toBe(false)
})

test('a client that reads slowly gets the whole answer', async () => {
  await ask()
  expect(await readWhole(5)).toBe(true)
})

test('an answer may be awaited for longer than that, on a connection that is used again', async () => {
  for (const thinks of [0, 2 * PATIENCE_MS, 0]) {
    thinksMs = thinks
    await ask()
    expect(await readWhole(1)).toBe(true)
  }
})
