import { mkdtempSync, rmSync } from 'node:fs'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { byUrl, type Found, findPart, type Way } from '../src/servers/found.ts'
import {
  findNats,
  findRedis,
  findSecondPostgres,
  foundParts,
  postgresVersion,
  redisPing,
  startNatsServer,
  startRedisServer,
  startSecondPostgres,
} from '../src/servers/index.ts'
import { until } from '../src/until.ts'

const [nats, redis, postgres] = await Promise.all([findNats(), findRedis(), findSecondPostgres()])
afterAll(() => Promise.all([nats, redis, postgres].map((found) => found.kind === 'running' && found.stop())))

const urlOf = (found: Found) => (found.kind === 'running' ? found.url : '')

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-servers-'))
  folders.push(folder)
  return folder
}

/** Stops what a test has started when the test is over, whether it passes or fails. */
async function untilTestEnds<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting
  onTestFinished(() => started.stop())
  return started
}

/** The first bytes that a server sends unprompted. */
async function greeting(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = dial({ host: hostname, port: Number(port) })
  for await (const bytes of socket) {
    socket.destroy()
    return String(bytes)
  }
  return ''
}

test('the summary says for every server where it comes from or why it is absent', () => {
  const summary = new Map(foundParts().map(({ part, found, how }) => [part, { found, how }]))
  for (const [part, found] of Object.entries({ nats, redis, postgres })) {
    const how = found.kind === 'running' ? found.how : found.why
    expect(summary.get(part as 'nats')).toEqual({ found: found.kind === 'running', how })
    expect(how).not.toBe('')
  }
})

describe.runIf(nats.kind === 'running')('NATS', () => {
  test('the server of the run greets with INFO and has JetStream', async () => {
    expect(await greeting(urlOf(nats))).toMatch(/^INFO \{.*"jetstream":true/)
  })

  test('a server for one test keeps an acknowledged message over kill -9, on the same port', async () => {
    const storeDir = tempFolder()
    const first = await untilTestEnds(startNatsServer({ storeDir }))
    const client = await connect({ servers: first.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 })
    const streams = await jetstreamManager(client)
    await streams.streams.add({ name: 'KEPT', subjects: ['kept'] })
    expect((await jetstream(client).publish('kept', 'one')).seq).toBe(1)

    await first.kill()
    const second = await untilTestEnds(startNatsServer({ storeDir, port: first.port }))
    await until('the client is connected again', async () => (await client.rtt()) >= 0)
    expect((await streams.streams.info('KEPT')).state.messages).toBe(1)
    expect((await fetch(`${second.monitorUrl}/healthz`)).status).toBe(200)
    await client.close()
  })
})

describe.runIf(redis.kind === 'running')('Redis', () => {
  test('the server of the run answers PING', async () => {
    expect(await redisPing(urlOf(redis))).toBe('PONG')
  })

  test('a durable server for one test keeps an acknowledged key over kill -9', async () => {
    const dataDir = tempFolder()
    const first = await untilTestEnds(startRedisServer({ dataDir, durable: true }))
    const client = new Redis(first.url)
    client.on('error', () => {})
    await client.set('kept', 'one')
    await first.kill()
    await untilTestEnds(startRedisServer({ dataDir, durable: true, port: first.port }))
    expect(await client.get('kept')).toBe('one')
    client.disconnect()
  })

  test('a paused server answers nothing until it is resumed, and can be stopped while paused', async () => {
    const server = await untilTestEnds(startRedisServer({ dataDir: tempFolder() }))
    const client = new Redis(server.url, { commandTimeout: 300 })
    client.on('error', () => {})
    expect(await client.ping()).toBe('PONG')
    server.pause()
    await expect(client.ping()).rejects.toThrow('Command timed out')
    server.resume()
    expect(await client.ping()).toBe('PONG')
    client.disconnect()
    server.pause()
    await server.stop()
    expect(await server.exited).toMatchObject({ code: 0 })
  })
})

describe.runIf(postgres.kind === 'running')('the second Postgres', () => {
  test('answers with a version other than the embedded one', async () => {
    const version = await postgresVersion(urlOf(postgres))
    expect(version).toMatch(/^PostgreSQL \d+/)
    expect(version).not.toMatch(/^PostgreSQL 18\b/)
  })

  test('a server for one test keeps a committed row over kill -9', async () => {
    const dataDir = tempFolder()
    const first = await untilTestEnds(startSecondPostgres({ dataDir }))
    const client = new pg.Client(first.url)
    client.on('error', () => {})
    await client.connect()
    await client.query('create table kept as select 1 as n')
    await first.kill()
    const second = await untilTestEnds(startSecondPostgres({ dataDir }))
    const again = new pg.Client(second.url)
    await again.connect()
    expect((await again.query('select n from kept')).rows).toEqual([{ n: 1 }])
    await again.end()
  })
})

describe('findPart', () => {
  const closed =
    (reason: string): Way =>
    async () => ({ closed: reason })
  const open: Way = async () => ({ kind: 'running', url: 'redis://x', how: 'by hand', stop: async () => {} })

  test('default: takes the first open way', async () => {
    expect(await findPart('redis', [closed('no luck'), open, closed('unasked')], {})).toMatchObject({ how: 'by hand' })
  })

  test('behavior: reports absent with every reason if no way is open', async () => {
    const ways = [closed('no redis-server on the PATH'), closed('no container engine answers')]
    const why = 'no redis-server on the PATH; no container engine answers'
    expect(await findPart('redis', ways, { REQUIRE: 'nats' })).toEqual({ kind: 'absent', why })
    await expect(findPart('redis', ways, { REQUIRE: 'nats, redis' })).rejects.toThrow(
      `REQUIRE asks for redis, but none was found: ${why}. Install it or set TEST_REDIS_URL.`,
    )
  })

  test('error: a configured URL that does not answer fails instead of falling back', async () => {
    const port = await freePort()
    const way = byUrl('redis', redisPing, { TEST_REDIS_URL: `redis://127.0.0.1:${port}` })
    await expect(way()).rejects.toThrow(
      `TEST_REDIS_URL names 127.0.0.1:${port}, where no redis answers: start it or clear the setting.`,
    )
  })

  test('behavior: a configured URL that answers is used and not stopped', async () => {
    const way = byUrl('redis', async () => 'PONG', { TEST_REDIS_URL: 'redis://cache:6379' })
    expect(await way()).toMatchObject({ kind: 'running', url: 'redis://cache:6379', how: 'at TEST_REDIS_URL' })
  })
})
