import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { environment, SOURCE } from './instance.ts'

let database: TestDatabase
let node: Server
const subscribed: Socket[] = []

beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
  node = createServer((_req, res) => res.writeHead(503).end())
  // A node that hangs: its connections are open, and nothing that is said to it is answered.
  node.on('upgrade', ({ headers }, socket: Socket) => {
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.on('error', () => {})
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    subscribed.push(socket)
  })
  node.listen(0, '127.0.0.1')
  await once(node, 'listening')
})
afterEach(async () => {
  for (const socket of subscribed.splice(0)) socket.destroy()
  node.close()
  await database.drop()
})

test('a process that is stopped ends although a node of its chain keeps the connection for heads', async () => {
  const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const child = spawn(process.execPath, [SOURCE, '--no-demo'], {
    env: {
      ...environment(),
      ...{ TARGET: 'chain-indexer', DATABASE_URL: database.url, BASE_URL: 'https://one.example', ADMIN_PORT: '0' },
      ...{ RPC_URLS: JSON.stringify({ 'eip155:8453': [rpcUrl] }), SHUTDOWN_DELAY_MS: '0', SHUTDOWN_GRACE_MS: '1000' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  try {
    await until('it is ready', () => /^Ready after/m.test(said), 30_000)
    await until('it subscribes to heads', () => subscribed.length > 0)
    child.kill('SIGTERM')
    await until('it ends', () => child.exitCode !== null, 10_000)
    expect(await ended).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
}, 60_000)
