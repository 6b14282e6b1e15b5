import { rmSync } from 'node:fs'
import { event, operation } from '@callboard/contract'
import { type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { serverFolder } from '@callboard/testkit/folder'
import { startRedisServer } from '@callboard/testkit/servers'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }
import {
  createLogger,
  type Handler,
  on,
  type Running,
  type ServiceContext,
  service,
  startServices,
} from '../src/index.ts'
import { startTracing } from '../src/telemetry/telemetry.ts'

const said = event({
  id: 'parrot.said',
  version: 1,
  summary: 'The parrot said something',
  key: 'word',
  data: z.object({ word: z.string() }),
})
const contract = {
  say: operation({
    id: 'parrot.say',
    summary: 'Says it',
    timeoutMs: 2_000,
    input: z.object({ word: z.string() }),
    output: z.object({}),
    errors: [],
  }),
}
type ParrotContext = ServiceContext<Record<string, never>, Record<never, never>, undefined>
let hears = Promise.withResolvers<void>()
/** How often an event was handled, or started to be. */
let heard = 0

const say: Handler<typeof contract.say, ParrotContext> = async ({ word }, ctx) => {
  ctx.log.info({ word }, 'said')
  await ctx.db.transaction().execute((tx) => ctx.publish(tx, said, { word }))
  return {}
}

const parrot = service<z.ZodObject, Record<never, never>, object, typeof contract>({
  name: 'parrot',
  config: z.object({}),
  migrations: {},
  operations: contract,
  serves: { say: say as never },
  publishes: [said],
  consumes: [
    on(said, () => {
      heard += 1
      return hears.promise
    }),
  ],
})

const lines: Record<string, unknown>[] = []
const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
const exporter = new InMemorySpanExporter()

let stopTracing: () => Promise<void>
let database: TestDatabase
let running: Running | undefined

beforeAll(async () => {
  stopTracing = await startTracing('parrot', [new SimpleSpanProcessor({ exporter })])
})
beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterEach(async () => {
  hears.resolve()
  await running?.stop()
  running = undefined
  await database.drop()
})
afterAll(() => stopTracing())

const start = async (more: Record<string, string> = {}) => {
  hears = Promise.withResolvers<void>()
  running = await startServices([parrot], { env: { DATABASE_URL: database.url, ...more }, log })
  const { bus, adminPort } = running
  const meta = { caller: { kind: 'anonymous' } as const, requestId: 'request-1', timeoutMs: 2_000 }
  return {
    say: (word: string) => bus.call(contract.say, { word }, meta),
    metrics: async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text(),
  }
}

describe('what a process reports of itself', () => {
  test('a handler’s log line names its request, operation and span', async () => {
    const { say } = await start()
    await say('hello')
    const ended = () => exporter.getFinishedSpans().find(({ name }) => name === 'process rpc.parrot.say')
    // It ends after its answer is sent.
    await until('its span is over', async () => ended() !== undefined)
    const span = ended()
    expect(lines.find(({ msg }) => msg === 'said')).toMatchObject({
      service: 'parrot',
      operation: 'parrot.say',
      request_id: 'request-1',
      trace_id: span?.spanContext().traceId,
      span_id: span?.spanContext().spanId,
    })
  })

  test('an outbox with a slow consumer shows how many events wait and since when', async () => {
    const { say, metrics } = await start()
    await say('hello')
    await until('it waits', async () => /^callboard_outbox_waiting\{service="parrot"\} 1$/m.test(await metrics()))
    expect(await metrics()).toMatch(/^callboard_outbox_oldest_seconds\{service="parrot"\} 0?\.?\d+/m)
    hears.resolve()
    await until('it left', async () => /^callboard_outbox_waiting\{service="parrot"\} 0$/m.test(await metrics()))
    expect(await metrics()).toMatch(/^callboard_outbox_oldest_seconds\{service="parrot"\} 0$/m)
  })

  test('/metrics answers while tables cannot be read: their gauges are absent and the failures counted', async () => {
    const { metrics } = await start()
    expect(await metrics()).toMatch(/^callboard_dead_letters\{service="parrot"\} 0$/m)
    await database.query('alter schema parrot rename to elsewhere')
    const unreadable = await metrics()
    expect(unreadable).not.toMatch(/^callboard_dead_letters\{/m)
    expect(unreadable).toMatch(/^callboard_reading_failures_total\{source="parrot events"\} [1-9]/m)
    expect(unreadable).toMatch(/^callboard_bus_connected 1$/m)
  })

  test('pools report their connections', async () => {
    const { metrics } = await start({ DATABASE_POOL_SIZE: '5' })
    const text = await metrics()
    expect(text).toMatch(/^callboard_postgres_connections_limit\{service="parrot"\} 5$/m)
    expect(text).toMatch(/^callboard_postgres_connections\{service="parrot",state="busy"\} \d/m)
    // The jobs of a start wait for their connections to open.
    const isWaitingForNone = async () => /^callboard_postgres_waiting\{service="parrot"\} 0$/m.test(await metrics())
    await until('nothing waits for a connection', isWaitingForNone)
  })

  test('an exhausted pool’s waiting gauge excludes the queries of the metrics request itself', async () => {
    // Its relay holds the other connection.
    const { metrics } = await start({ DATABASE_POOL_SIZE: '2' })
    const pool = running?.contexts.get('parrot')?.pool
    const isRelaysAlone = () => pool?.waitingCount === 0 && pool.totalCount - pool.idleCount === 1
    const locks = `select from pg_locks join pg_database on oid = database
      where locktype = 'advisory' and granted and datname = current_database()`
    await until(
      'the relay has its connection, and nothing else has one',
      async () => (await database.query(locks)).length > 0 && isRelaysAlone(),
    )
    const held = await pool?.connect()
    const waits = pool?.query('select 1')
    const text = await metrics()
    held?.release()
    expect(text).toMatch(/^callboard_postgres_waiting\{service="parrot"\} 1$/m)
    await waits
  })
})

test('metrics and spans name the running version, so that two versions side by side can be told apart', async () => {
  const { say, metrics } = await start()
  await say('built')
  const { version } = manifest
  expect(await metrics()).toContain(
    `callboard_build_info{version="${version}",revision="unknown",node="${process.version}"} 1\n`,
  )
  const [span] = exporter.getFinishedSpans()
  expect(span?.resource.attributes).toMatchObject({
    'service.name': 'parrot',
    'service.version': version,
    'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

test('a process reports whether each of its servers answers, and that its services are ready', async () => {
  const { metrics } = await start()
  const text = await metrics()
  expect(text).toMatch(/^callboard_server_up\{server="postgres"\} 1$/m)
  expect(text).toMatch(/^callboard_server_answer_seconds\{server="postgres"\} \d/m)
  expect(text).toMatch(/^callboard_service_ready\{service="parrot"\} 1$/m)
})

test.runIf(inject('redisUrl'))('Redis away: the process stays ready, and /readyz and the gauge name it', async () => {
  const dataDir = serverFolder('callboard-redis-')
  const redis = await startRedisServer({ dataDir })
  try {
    const { metrics } = await start({ REDIS_URL: redis.url })
    const readyz = async () => {
      const answer = await fetch(`http://127.0.0.1:${running?.adminPort}/readyz`)
      return { status: answer.status, text: await answer.text() }
    }
    expect(await readyz()).toEqual({ status: 200, text: 'ok\n' })
    redis.pause()
    await until('it is noted', async () => (await readyz()).text.includes('note: redis: '))
    expect((await readyz()).status).toBe(200)
    expect(await metrics()).toMatch(/^callboard_server_up\{server="redis"\} 0$/m)
    redis.resume()
    await until('it is back', async () => (await readyz()).text === 'ok\n')
  } finally {
    await running?.stop()
    running = undefined
    await redis.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** Whether a gauge of the parrot's consumer has a value. */
const ofConsumer = async (metrics: () => Promise<string>, gauge: string, value: number) =>
  (await metrics()).includes(`${gauge}{consumer="parrot",event="parrot.said"} ${value}\n`)

test.runIf(inject('natsUrl'))('a durable consumer shows how many events it has not finished', async () => {
  const { say, metrics } = await start({ NATS_URL: inject('natsUrl') ?? '' })
  const lag = (events: number) => ofConsumer(metrics, 'callboard_consumer_lag_events', events)
  await until('nothing waits', () => lag(0))
  await say('one')
  await say('two')
  await until('both wait', () => lag(2))
  hears.resolve()
  await until('both are done', () => lag(0))
  expect(await metrics()).toMatch(/^callboard_stream_bytes\{stream="CALLBOARD_EVENTS"\} [1-9]\d*$/m)
  expect(await metrics()).toMatch(/^callboard_stream_events\{stream="CALLBOARD_EVENTS"\} [1-9]\d*$/m)
})

test.runIf(inject('natsUrl'))('an event that failed is shown as delivered again until it is finished', async () => {
  const { say, metrics } = await start({ NATS_URL: inject('natsUrl') ?? '' })
  const again = (events: number) => ofConsumer(metrics, 'callboard_consumer_redelivered_events', events)
  await until('nothing comes again', () => again(0))
  const [first, heardBefore] = [hears, heard]
  await say('twice')
  await until('it waits', () => ofConsumer(metrics, 'callboard_consumer_lag_events', 1))
  await until('it is in work', () => heard > heardBefore)
  hears = Promise.withResolvers<void>()
  first.reject(new Error('not now'))
  await until('it came again', () => again(1))
  hears.resolve()
  await until('it is finished', () => again(0))
})
