import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { freePort } from '@callboard/embedded'
import { oauth } from '@callboard/oauth'
import {
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
  until,
} from '@callboard/testkit'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { gateway } from '../src/index.ts'

let database: TestDatabase
let services: TestServices
let port: number

beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
  port = await freePort()
  services = await startTestServices([oauth, gateway], {
    databaseUrl: database.url,
    env: {
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      SHUTDOWN_GRACE_MS: '60000',
      DEVNET: UNREACHABLE_DEVNET,
    },
  })
})
afterEach(() => database.drop())

async function opened(): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  await once(socket, 'connect')
  return { socket, received: () => text }
}

const isRefused = async () => {
  const socket = connect(port, '127.0.0.1')
  const refused = await once(socket, 'connect').then(
    () => false,
    () => true,
  )
  socket.destroy()
  return refused
}

describe('the shutdown of a gateway', () => {
  test('is not held up by connections that sent nothing, or half a head', async () => {
    const [silent, half, kept] = [await opened(), await opened(), await opened()]
    half.socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n')
    kept.socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n')
    await until('an answer', () => kept.received().includes('"openapi"'))
    const began = performance.now()
    await Promise.all([services.stop(), ...[silent, half, kept].map(({ socket }) => once(socket, 'close'))])
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('lets a request in flight finish, and accepts no new one', async () => {
    const { socket, received } = await opened()
    const body = '{"message":"a","signature":"0x00"}'
    socket.write(
      `POST /api/auth/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
    )
    await until('the request has begun', async () => (await fetch(`http://127.0.0.1:${port}/openapi.json`)).ok)
    const stopped = services.stop()
    await until('the door is closed', isRefused)
    socket.write(body.slice(1))
    await until('its answer', () => received().startsWith('HTTP/1.1 401'))
    await stopped
  })
})
