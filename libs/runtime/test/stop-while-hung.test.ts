import { rmSync } from 'node:fs'
import { event, operation } from '@callboard/contract'
import { startTestServices, type TestDatabase, testDatabase } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { on, service } from '../src/index.ts'

const url = inject('natsUrl')

const said = event({
  id: 'hungword.said',
  version: 1,
  summary: 'A word was said',
  key: 'word',
  data: z.object({ word: z.string() }),
})
const operations = {
  say: operation({
    id: 'hungspeaker.say',
    summary: 'Says nothing',
    input: z.object({}),
    output: z.object({}),
    timeoutMs: 2_000,
    errors: [],
  }),
}
const speaker = service<z.ZodObject, object, object, typeof operations>({
  name: 'hungspeaker',
  config: z.object({}),
  migrations: {},
  operations,
  serves: { say: async () => ({}) },
  publishes: [said],
  consumes: [on(said, async () => {})],
})

const GRACE_MS = 500
/** What a pod has beyond its grace time. */
const BEYOND_MS = 10_000

let database: TestDatabase
let storeDir: string
let nats: NatsServer

beforeAll(async () => {
  if (!url) return
  database = await testDatabase(inject('postgresUrl'))
  storeDir = temporaryFolder('callboard-hung-')
  nats = await startNatsServer({ storeDir })
})
afterAll(async () => {
  if (!url) return
  await nats.stop()
  await database.drop()
  rmSync(storeDir, { recursive: true, force: true })
})

describe.skipIf(!url)(`a stop${url ? '' : ` (not run: ${inject('absent').nats})`}`, () => {
  test('ends in its time while NATS hangs', async () => {
    const env = { SHUTDOWN_GRACE_MS: String(GRACE_MS) }
    const running = await startTestServices([speaker], { databaseUrl: database.url, natsUrl: nats.url, env })
    nats.pause()
    const began = performance.now()
    await running.stop()
    expect(performance.now() - began).toBeLessThan(GRACE_MS + BEYOND_MS)
  })
})
