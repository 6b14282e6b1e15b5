import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modules } from '@callboard/all'
import { type Bus, inboxesOf, natsBus } from '@callboard/bus'
import { anonymous, type EventEnvelope, eventName, type Operation, operation, serviceOf } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { migrateServices, type ServiceModule } from '@callboard/runtime'
import { startTestServices, type TestServices, testDatabase, until } from '@callboard/testkit'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { ROOT } from '@callboard/tools/generated-files'
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { MIGRATE_USER, passwordVariable, permissionsFile } from '../src/nats-permissions.ts'

const absent = inject('natsUrl') === null ? inject('absent').nats : undefined

const password = (user: string) => `p${user.replaceAll('-', '')}`

/** A server with these users, as its operator would start it. */
async function serverWith(
  permissions: string,
  users: readonly string[],
  storeDir: string,
  port?: number,
): Promise<NatsServer> {
  for (const user of users) process.env[passwordVariable(user)] = password(user)
  mkdirSync(storeDir, { recursive: true })
  return startNatsServer({ storeDir, args: ['-c', permissions], ...(port ? { port } : {}) })
}

const urlOf = (server: NatsServer, user: string) => server.url.replace('nats://', `nats://${user}:${password(user)}@`)

const meta = (requestId: string, timeoutMs: number) => ({ caller: anonymous, requestId, timeoutMs })

const envelope = (name: string, id: string): EventEnvelope => ({
  id,
  name,
  key: 'k',
  sequence: 1,
  source: 'test',
  occurredAt: new Date().toISOString(),
  data: { k: 'k' },
})

describe.skipIf(absent)(`deploy/nats/permissions.conf on a real server${absent ? `, not run: ${absent}` : ''}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-nats-users-'))
  const users = [...modules.map(({ name }) => name), MIGRATE_USER]
  const buses = new Map<string, Bus>()
  let server: NatsServer
  let database: Awaited<ReturnType<typeof testDatabase>>

  const busOf = (name: string): Bus => {
    const bus = buses.get(name)
    if (!bus) throw new Error(`There is no bus of ${name}.`)
    return bus
  }

  beforeAll(async () => {
    server = await serverWith(join(ROOT, 'deploy/nats/permissions.conf'), users, folder)
    database = await testDatabase(inject('postgresUrl'))
    for (const { name } of modules) buses.set(name, await natsBus(urlOf(server, name), name, { backoff: [20] }))
  })
  afterAll(async () => {
    await Promise.all([...buses.values()].map((bus) => bus.close()))
    await server?.stop()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('no client connects without a user', async () => {
    await expect(connect({ servers: server.url, reconnect: false })).rejects.toThrow(/authorization/i)
  })

  test('the migration step creates the stream and every consumer, and can be repeated', async () => {
    const env = { DATABASE_URL: database.url, NATS_URL: urlOf(server, MIGRATE_USER), LOG_LEVEL: 'silent' }
    await migrateServices(modules, env)
    await migrateServices(modules, env)
    for (const { name, consumes } of modules) {
      const consumers = consumes.map(({ event }) => ({ service: name, event }))
      expect(await busOf(name).events.lacks(consumers), name).toEqual([])
    }
  })

  test('a service can call the operations that it declares, and nothing else', async () => {
    const operations = modules.flatMap((module) => Object.values(module.operations))
    const reached = new Set<string>()
    const served = operations.map((op) =>
      busOf(serviceOf(op)).serve(op, async (_, call) => {
        reached.add(call.requestId)
        return {} as never
      }),
    )
    await Promise.all([...buses.values()].map((bus) => bus.settle()))
    const asks = modules.flatMap((caller) => operations.map((op): [ServiceModule, Operation] => [caller, op]))
    const answered = await Promise.all(
      asks.map(async ([caller, op]) => {
        const name = `${caller.name} → ${op.id}`
        const answer = await busOf(caller.name)
          .call(op, {} as never, meta(name, 3_000))
          .catch(() => undefined)
        return answer === undefined ? [] : [name]
      }),
    )
    await Promise.all(served.map((one) => one.stop(1_000)))
    // Operations without a service of ours have no responder.
    const isServed = ({ id }: Operation) => operations.some((op) => op.id === id)
    const declared = modules.flatMap((caller) => caller.calls.filter(isServed).map((op) => `${caller.name} → ${op.id}`))
    expect(answered.flat().sort()).toEqual([...new Set(declared)].sort())
    expect([...reached].sort()).toEqual([...new Set(declared)].sort())
  })

  test('an event reaches its consumers from a service that declares it, and from no other', async () => {
    const [consumption] = modules.find(({ name }) => name === 'catalog')?.consumes ?? []
    if (!consumption) throw new Error('The catalog consumes nothing.')
    const { event } = consumption
    const seen: string[] = []
    const take = async ({ id }: { id: string }) => void seen.push(id)
    const consuming = await busOf('catalog').events.consume({
      service: 'catalog',
      event,
      handle: take,
      // The data does not fit the event: the consumer dead-letters it, which also proves that it arrived.
      deadLetter: async ({ eventId }) => void seen.push(eventId),
    })
    const publishes = (module: ServiceModule) => module.publishes.some((one) => one.id === event.id)
    const attempts = modules.map(({ name }) => busOf(name).events.publish(envelope(eventName(event), `from-${name}`)))
    const outcomes = await Promise.allSettled(attempts)
    const wanted = modules.filter(publishes).map(({ name }) => `from-${name}`)
    expect(outcomes.map(({ status }) => status)).toEqual(
      modules.map((module) => (publishes(module) ? 'fulfilled' : 'rejected')),
    )
    await until('the event has come', () => seen.length >= wanted.length)
    expect(seen.sort()).toEqual(wanted.sort())
    await consuming.stop(1_000)
  })

  test('services that wait for the migration step start under their own users and serve a request', async () => {
    const port = await freePort()
    const started: TestServices[] = []
    const env = { MIGRATIONS: 'wait', PORT: String(port), LINK_SIGNING_KEY: 'k'.repeat(32) }
    try {
      for (const module of modules.filter(({ name }) => ['oauth', 'catalog', 'gateway'].includes(name))) {
        const natsUrl = urlOf(server, module.name)
        started.push(await startTestServices([module], { databaseUrl: database.url, natsUrl, env }))
      }
      const stats = await fetch(`http://127.0.0.1:${port}/api/call/stats`)
      expect(stats.status).toBe(200)
      const nonce = await fetch(`http://127.0.0.1:${port}/api/auth/siwe-nonce?purpose=login`)
      expect(await nonce.json()).toMatchObject({ nonce: expect.any(String) })
    } finally {
      for (const services of started.reverse()) await services.stop()
    }
  })

  test('no service can subscribe to the answers or requests of another', async () => {
    const connection = await connect({ servers: server.url, user: 'catalog', pass: password('catalog') })
    for (const subject of [`${inboxesOf('gateway')}.>`, '_INBOX.>', 'rpc.oauth.>', 'rpc.catalog.>', 'evt.>', '>']) {
      const refused = Promise.withResolvers<string>()
      connection.subscribe(subject, { callback: (error) => refused.resolve(error?.name ?? 'a message') })
      expect(await refused.promise, subject).toBe('PermissionViolationError')
    }
    await connection.close()
  })

  test('no service can change, purge or delete the stream, or read it past its consumers', async () => {
    const connection = await connect({
      servers: server.url,
      user: 'catalog',
      pass: password('catalog'),
      inboxPrefix: inboxesOf('catalog'),
    })
    const verbs = ['STREAM.UPDATE', 'STREAM.PURGE', 'STREAM.DELETE', 'STREAM.MSG.GET', 'DIRECT.GET']
    for (const verb of verbs) {
      const asked = connection.request(`$JS.API.${verb}.CALLBOARD_EVENTS`, '', { timeout: 500 })
      await expect(asked, verb).rejects.toThrow()
    }
    await connection.close()
  })

  test('after a server loses its store, the services themselves recreate the stream and every consumer', async () => {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
    server = await serverWith(join(ROOT, 'deploy/nats/permissions.conf'), users, folder, server.port)
    const consumersOf = ({ name, consumes }: ServiceModule) => consumes.map(({ event }) => ({ service: name, event }))
    const consuming = modules.filter(({ consumes }) => consumes.length > 0)
    for (const module of consuming) {
      await until(`${module.name} is connected again`, () => busOf(module.name).connected)
      await busOf(module.name).events.prepare(consumersOf(module))
    }
    for (const module of consuming) expect(await busOf(module.name).events.lacks(consumersOf(module))).toEqual([])
  })
})

describe.skipIf(absent)('a streamed answer under permissions', () => {
  const count = operation({
    id: 'producer.count',
    summary: 'Counts',
    timeoutMs: 20_000,
    stream: true,
    maxRequestBytes: 4_000_000,
    input: z.object({ text: z.string().default('') }),
    output: z.object({ n: z.number() }),
    errors: [],
  })
  const module = (more: Partial<ServiceModule> & { name: string }): ServiceModule => ({
    config: z.object({}),
    operations: {},
    serves: {},
    calls: [],
    consumes: [],
    supersedes: [],
    publishes: [],
    jobs: [],
    ...more,
  })

  test('a reader can receive many chunks, send a large request, and be asked whether its chunks came', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-nats-users-'))
    const permissions = join(folder, 'permissions.conf')
    const made = [module({ name: 'producer', operations: { count } }), module({ name: 'reader', calls: [count] })]
    writeFileSync(permissions, permissionsFile(made))
    const server = await serverWith(permissions, ['producer', 'reader', MIGRATE_USER], join(folder, 'store'))
    const producer = await natsBus(urlOf(server, 'producer'), 'producer')
    const reader = await natsBus(urlOf(server, 'reader'), 'reader')
    try {
      producer.serveStream(count, async function* ({ text }, { delivered }) {
        for (let n = 0; n < 200; n += 1) yield { n }
        await delivered()
        yield { n: text.length }
      })
      await producer.settle()
      const read: number[] = []
      const text = 'x'.repeat(3_000_000)
      for await (const { n } of reader.stream(count, { text }, meta('r', 10_000))) read.push(n)
      expect(read).toEqual([...Array.from({ length: 200 }, (_, n) => n), text.length])
    } finally {
      await reader.close()
      await producer.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
