import dns from 'node:dns'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '@callboard/embedded'
import { overTcp, startTestServices, type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { z } from 'zod'
import { createLogger, type ServiceModule, service, startServices } from '../src/index.ts'

/** A name that stands for more than one address, as `localhost` and a host with IPv4 and IPv6 do. */
const HOST = 'two-addresses.test'

const keeper: ServiceModule = service<z.ZodObject, object, object, object>({
  name: 'keeper',
  config: z.object({}),
  migrations: {},
  operations: {},
  serves: {},
})

let database: TestDatabase
let port: number
let door: Server | undefined
const open = new Set<Socket>()

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  port = await freePort()
  const lookup = dns.lookup
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string, options: dns.LookupAllOptions, done: unknown) => {
    if (name !== HOST) return (lookup as (...given: unknown[]) => void)(name, options, done)
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
    return (done as (error: null, addresses: unknown) => void)(null, addresses)
  }) as never)
})
afterEach(() => closeDoor())
afterAll(async () => {
  vi.restoreAllMocks()
  await database.drop()
})

/** Postgres at the name: connections to it pass through here. */
async function openDoor(): Promise<void> {
  const { hostname, port: own } = new URL(overTcp(database.url))
  door = createServer((socket) => {
    const onwards = connect(Number(own), hostname)
    for (const one of [socket, onwards]) {
      open.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          socket.destroy()
          onwards.destroy()
        })
    }
    socket.pipe(onwards).pipe(socket)
  })
  await new Promise<void>((resolve) => door?.listen(port, '127.0.0.1', resolve))
}

async function closeDoor(): Promise<void> {
  const closed = new Promise((resolve) => (door ? door.close(resolve) : resolve(undefined)))
  for (const socket of open) socket.destroy()
  await closed
  door = undefined
}

function urlAtName(): string {
  const url = new URL(overTcp(database.url))
  url.hostname = HOST
  url.port = String(port)
  return url.href
}

const ready = async (adminPort: number) => {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`)
  return { status: answer.status, said: await answer.text() }
}

const refused = `connect ECONNREFUSED 127.0.0.1:PORT, connect ECONNREFUSED 127.0.0.2:PORT`
const refusedThere = () => refused.replaceAll('PORT', String(port))

test('a process is not ready, and says why, while a Postgres whose name has several addresses is away', async () => {
  await openDoor()
  const services = await startTestServices([keeper], { databaseUrl: urlAtName() })
  expect(await ready(services.adminPort)).toEqual({ status: 200, said: 'ok\n' })
  await closeDoor()
  expect(await ready(services.adminPort)).toEqual({ status: 503, said: `postgres: ${refusedThere()}\n` })
  await services.stop()
})

test('MIGRATIONS=wait: a start says what it waits for while such a Postgres is away', async () => {
  const adminPort = await freePort()
  const lines: { msg: string; lacks?: string[] }[] = []
  const started = startServices([keeper], {
    env: { DATABASE_URL: urlAtName(), MIGRATIONS: 'wait', ADMIN_PORT: String(adminPort) },
    log: createLogger('warn', { write: (line) => void lines.push(JSON.parse(line)) }),
  })
  const answer = await until('it says what it waits for', async () => {
    const now = await ready(adminPort).catch(() => undefined)
    return now && now.said !== 'starting\n' && now
  })
  expect(answer).toEqual({ status: 503, said: `starting\n${refusedThere()}\n` })
  expect(lines).toMatchObject([{ msg: 'waiting for the migration step', lacks: [refusedThere()] }])

  await openDoor()
  const migrated = await startTestServices([keeper], { databaseUrl: database.url })
  await migrated.stop()
  await (await started).stop()
})
