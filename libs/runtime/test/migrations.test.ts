import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { event, operation } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { startTestServices, type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { startNatsServer } from '@callboard/testkit/servers'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { createLogger, migrateServices, on, type ServiceModule, service, startServices } from '../src/index.ts'

const said = event({
  id: 'word.said',
  version: 1,
  summary: 'A word was said',
  key: 'word',
  data: z.object({ word: z.string() }),
})
const contract = {
  say: operation({
    id: 'speaker.say',
    summary: 'Says a word',
    input: z.object({ word: z.string() }),
    output: z.object({ ok: z.boolean() }),
    timeoutMs: 2_000,
    errors: [],
  }),
}
/** While set, no notification is received. */
let deaf = false

const speaker: ServiceModule = service<z.ZodObject, object, object, typeof contract>({
  name: 'speaker',
  config: z.object({}),
  migrations: {
    '0001-heard': {
      up: async (db: Kysely<unknown>) => void (await sql`create table heard (word text not null)`.execute(db)),
    },
  },
  operations: contract,
  serves: {
    say: (async ({ word }: { word: string }, ctx: { db: Kysely<never>; publish: (...given: unknown[]) => unknown }) => {
      await ctx.db.transaction().execute(async (tx) => void (await ctx.publish(tx, said, { word })))
      return { ok: true }
    }) as never,
  },
  publishes: [said],
  consumes: [
    on(said, async ({ word }, ctx) => {
      if (deaf) throw new Error('not now')
      await sql`insert into heard (word) values (${word})`.execute(ctx.tx)
    }),
  ],
})

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterAll(() => database.drop())

const natsUrl = inject('natsUrl')
const heard = async () =>
  (await database.query<{ word: string }>('select word from speaker.heard order by word')).map(({ word }) => word)

test('the migration step changes nothing beside a version that is too old, and names that version', async () => {
  const running = await testDatabase(inject('postgresUrl'))
  const old = new pg.Client({ connectionString: running.url, application_name: 'callboard-speaker 7.2.0' })
  await old.connect()
  const step = () => migrateServices([speaker], { DATABASE_URL: running.url, LOG_LEVEL: 'silent' })
  const schemas = () => running.query("select 1 from pg_namespace where nspname = 'speaker'")
  await expect(step()).rejects.toThrow(/^Processes of 7\.2\.0 are connected/)
  expect(await schemas()).toEqual([])

  await old.end()
  await until('its connection is gone', async () => {
    const left = await running.query("select 1 from pg_stat_activity where application_name like '%7.2.0'")
    return left.length === 0
  })
  await step()
  expect(await schemas()).toHaveLength(1)
  await running.drop()
})

describe.skipIf(!natsUrl)('over NATS', () => {
  test('a start without NATS says in /readyz and in the log why it waits, and goes on once NATS is there', async () => {
    const storeDir = mkdtempSync(join(tmpdir(), 'nats-late-'))
    const [port, adminPort] = [await freePort(), await freePort()]
    const lines: { msg: string; reason?: string }[] = []
    const started = startServices([speaker], {
      env: { DATABASE_URL: database.url, NATS_URL: `nats://127.0.0.1:${port}`, ADMIN_PORT: String(adminPort) },
      log: createLogger('error', { write: (line) => void lines.push(JSON.parse(line)) }),
    })
    const readiness = async () => (await fetch(`http://127.0.0.1:${adminPort}/readyz`).catch(() => undefined))?.text()
    await until('it says what it waits for', async () => (await readiness()) === 'starting\nnats: connection refused\n')
    expect(lines).toMatchObject([{ msg: 'waiting for NATS', reason: 'connection refused' }])

    const nats = await startNatsServer({ storeDir, port })
    const services = await started
    expect(await readiness()).toBe('ok\n')
    await services.stop()
    await nats.stop()
    rmSync(storeDir, { recursive: true })
  })

  test('MIGRATIONS=wait: a process is not ready until the migration step has run', async () => {
    const waiting = await testDatabase(inject('postgresUrl'))
    const storeDir = mkdtempSync(join(tmpdir(), 'nats-waits-'))
    const nats = await startNatsServer({ storeDir })
    const port = await freePort()
    const started = startTestServices([speaker], {
      databaseUrl: waiting.url,
      natsUrl: nats.url,
      env: { MIGRATIONS: 'wait', ADMIN_PORT: String(port) },
    })
    const readiness = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    await until('the admin port answers', async () => (await readiness()) !== undefined)
    await until('it says what it waits for', async () =>
      (await (await readiness())?.text())?.includes('schema speaker lacks'),
    )
    const answer = await readiness()
    expect([answer?.status, await answer?.text()]).toEqual([503, expect.stringMatching(/^starting\n/)])
    expect(await waiting.query("select 1 from pg_namespace where nspname = 'speaker'")).toEqual([])

    await migrateServices([speaker], { DATABASE_URL: waiting.url, NATS_URL: nats.url, LOG_LEVEL: 'silent' })
    const services = await started
    expect((await readiness())?.status).toBe(200)
    await services.stop()
    await nats.stop()
    await waiting.drop()
    rmSync(storeDir, { recursive: true })
  })

  test('a broker that lost its store: unhandled events are handled, and handled ones are not repeated', async () => {
    const storeDir = mkdtempSync(join(tmpdir(), 'nats-wiped-'))
    const nats = await startNatsServer({ storeDir })
    const services = await startTestServices([speaker], { databaseUrl: database.url, natsUrl: nats.url })
    await services.call(contract.say, { word: 'handled' })
    await until('it is heard', async () => (await heard()).length === 1)
    await until('the log is known', async () => {
      const [log] = await database.query<{ identity: string | null }>('select identity from speaker.event_log')
      return log?.identity
    })
    deaf = true
    await services.call(contract.say, { word: 'lost on the way' })
    await until('both are published', async () => {
      const waiting = await database.query('select 1 from speaker.outbox where published_at is null')
      return waiting.length === 0
    })
    await nats.kill()
    rmSync(storeDir, { recursive: true })
    mkdirSync(storeDir)
    const again = await startNatsServer({ storeDir, port: nats.port })
    await until('the bus is connected again', () => services.bus.connected)
    deaf = false
    await until('the lost word is heard', async () => (await heard()).length === 2, 20_000)
    await services.call(contract.say, { word: 'new' })
    await until('the new word is heard', async () => (await heard()).length === 3)
    expect(await heard()).toEqual(['handled', 'lost on the way', 'new'])
    await services.stop()
    await again.stop()
    rmSync(storeDir, { recursive: true })
  })
})
