import { rmSync } from 'node:fs'
import { event } from '@callboard/contract'
import { startTestServices, type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { on, type ServiceContext, service } from '../src/index.ts'

const url = inject('natsUrl')

const said = event({
  id: 'startword.said',
  version: 1,
  summary: 'A word was said',
  key: 'word',
  data: z.object({ word: z.string() }),
})

let database: TestDatabase
let storeDir: string
let nats: NatsServer
let started: TestServices | undefined

beforeAll(async () => {
  if (!url) return
  database = await testDatabase(inject('postgresUrl'))
  storeDir = temporaryFolder('callboard-lost-')
  nats = await startNatsServer({ storeDir })
})
afterAll(async () => {
  if (!url) return
  await started?.stop()
  await nats.stop()
  await database.drop()
  rmSync(storeDir, { recursive: true, force: true })
})

/** @param onOpen called in its start, when the bus is there and its schema is migrated */
const speaker = (onOpen: () => Promise<void>) =>
  service<z.ZodObject, object, object, Record<never, never>>({
    name: 'startspeaker',
    config: z.object({}),
    migrations: {
      '0001-heard': {
        up: async (db: Kysely<unknown>) => void (await sql`create table heard (word text not null)`.execute(db)),
      },
    },
    open: async () => {
      await onOpen()
      return {}
    },
    operations: {},
    serves: {},
    publishes: [said],
    consumes: [
      on(said, async ({ word }, ctx) => void (await sql`insert into heard (word) values (${word})`.execute(ctx.tx))),
    ],
  })

describe.skipIf(!url)(`a NATS that is lost in a start${url ? '' : ` (not run: ${inject('absent').nats})`}`, () => {
  test('is waited for, and events are handled once it is back', async () => {
    const lost = Promise.withResolvers<void>()
    const starting = startTestServices([speaker(() => nats.kill().then(lost.resolve))], {
      databaseUrl: database.url,
      natsUrl: nats.url,
    })
    starting.catch(() => {})
    await lost.promise
    nats = await startNatsServer({ storeDir, port: nats.port })
    started = await starting
    const ctx = started.contexts.get('startspeaker') as ServiceContext
    await ctx.db.transaction().execute((tx) => ctx.publish(tx as never, said, { word: 'hello' }))
    await until('the event is handled', async () => {
      const rows = await database.query<{ word: string }>('select word from startspeaker.heard')
      return rows.length === 1
    })
    expect(await fetch(`http://127.0.0.1:${started.adminPort}/readyz`)).toMatchObject({ status: 200 })
  })
})
