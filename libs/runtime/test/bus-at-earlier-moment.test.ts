import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BusFault } from '@callboard/bus'
import { startTestServices, type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { ServiceContext } from '../src/index.ts'
import { said, speaker } from './word-speaker.ts'

const url = inject('natsUrl')

/** While set, no event can be handled. */
let isDeaf = false

const deafSpeaker = speaker({
  onWord: () => {
    if (isDeaf) throw new BusFault('unavailable', 'speaker', 'not now')
  },
})

let database: TestDatabase
let folder: string
let nats: NatsServer
let running: TestServices | undefined

beforeAll(async () => {
  if (!url) return
  database = await testDatabase(inject('postgresUrl'))
  folder = temporaryFolder('callboard-past-')
  nats = await startNatsServer({ storeDir: join(folder, 'store') })
  running = await startTestServices([deafSpeaker], { databaseUrl: database.url, natsUrl: nats.url })
})
afterAll(async () => {
  if (!url) return
  await running?.stop()
  await nats.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function say(word: string): Promise<void> {
  const ctx = running?.contexts.get('speaker') as ServiceContext
  await ctx.db.transaction().execute((tx) => ctx.publish(tx as never, said, { word }))
}

const words = async () =>
  (await database.query<{ word: string }>('select word from speaker.heard order by word')).map(({ word }) => word)

/** Starts NATS again with another folder in place of its store. */
async function again(from: string, to: string): Promise<void> {
  await nats.stop()
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
  nats = await startNatsServer({ storeDir: join(folder, 'store'), port: nats.port })
}

describe.skipIf(!url)(`a NATS at an earlier moment${url ? '' : ` (not run: ${inject('absent').nats})`}`, () => {
  test('gets again what counts as published and it lacks; nothing has an effect twice', async () => {
    const [store, past] = [join(folder, 'store'), join(folder, 'past')]
    await say('before')
    await until('it is handled', async () => (await words()).length === 1)
    await again(store, past)
    isDeaf = true
    await say('lost')
    await until('it counts as published', async () => {
      const rows = await database.query('select from speaker.outbox where published_at is null')
      return rows.length === 0
    })
    await again(past, store)
    isDeaf = false
    await until('the lost one is handled', async () => (await words()).includes('lost'), 30_000)
    expect(await words()).toEqual(['before', 'lost'])
  }, 90_000)
})
