import { rmSync } from 'node:fs'
import { startTestServices, type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { ServiceContext } from '../src/index.ts'
import { said, speaker } from './word-speaker.ts'

const url = inject('natsUrl')

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

describe.skipIf(!url)(`a NATS that is lost in a start${url ? '' : ` (not run: ${inject('absent').nats})`}`, () => {
  test('is waited for, and events are handled once it is back', async () => {
    const lost = Promise.withResolvers<void>()
    const starting = startTestServices([speaker({ onOpen: () => nats.kill().then(lost.resolve) })], {
      databaseUrl: database.url,
      natsUrl: nats.url,
    })
    starting.catch(() => {})
    await lost.promise
    nats = await startNatsServer({ storeDir, port: nats.port })
    started = await starting
    const ctx = started.contexts.get('speaker') as ServiceContext
    await ctx.db.transaction().execute((tx) => ctx.publish(tx as never, said, { word: 'hello' }))
    await until('the event is handled', async () => {
      const rows = await database.query<{ word: string }>('select word from speaker.heard')
      return rows.length === 1
    })
    expect(await fetch(`http://127.0.0.1:${started.adminPort}/readyz`)).toMatchObject({ status: 200 })
  })
})
