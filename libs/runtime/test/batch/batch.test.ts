import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { startTestServices, type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { startNatsServer } from '@callboard/testkit/servers'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { contract, tally } from './tally.ts'

interface Heard {
  readonly key: string
  readonly what: string
  readonly tx: string
}

const KEYS = ['a', 'b', 'c', 'd']
const buses = [{ bus: 'local' }, ...(inject('natsUrl') ? [{ bus: 'nats' }] : [])]

describe.each(buses)('events handled in batches, on the $bus bus', ({ bus }) => {
  let database: TestDatabase
  let nats: Awaited<ReturnType<typeof startNatsServer>> | undefined
  let services: TestServices | undefined
  let storeDir: string

  beforeEach(async () => {
    storeDir = temporaryFolder('callboard-together-')
    nats = bus === 'nats' ? await startNatsServer({ storeDir }) : undefined
    database = await testDatabase(inject('postgresUrl'))
  })
  afterEach(async () => {
    await services?.stop()
    services = undefined
    await nats?.stop()
    rmSync(storeDir, { recursive: true, force: true })
    await database.drop()
  })

  const start = async () => {
    const natsUrl = nats?.url
    const options = { databaseUrl: database.url, eventsLinger: true, ...(natsUrl ? { natsUrl } : {}) }
    services = await startTestServices([tally], options)
    return services
  }
  const heard = () => database.query<Heard>('select key, what, tx from tally.heard order by key, what')
  const each = KEYS.flatMap((key) => ['mark.given', 'tally.made'].map((what) => ({ key, what })))
  const published = async () => {
    const [row] = await database.query<{ waiting: string }>(
      'select count(*) as waiting from tally.outbox where published_at is null',
    )
    return Number(row?.waiting) === 0
  }

  test('share one transaction, across both kinds', async () => {
    const { call } = await start()
    await call(contract.make, { keys: KEYS })
    await until('all are heard', async () => (await heard()).length === each.length)
    const rows = await heard()
    expect(rows.map(({ key, what }) => ({ key, what }))).toEqual(each)
    expect(new Set(rows.map(({ tx }) => tx)).size).toBe(1)
  })

  test('take effect once when they are published again', async () => {
    const { call } = await start()
    await call(contract.make, { keys: KEYS })
    await until(
      'all are heard and published',
      async () => (await heard()).length === each.length && (await published()),
    )
    await database.query('update tally.outbox set published_at = null')
    await call(contract.make, { keys: ['later'] })
    await until('the later one is heard', async () => (await heard()).some(({ key }) => key === 'later'))
    await until('the repeats are published', published)
    expect((await heard()).filter(({ key }) => key !== 'later')).toHaveLength(each.length)
  })

  test('an event that cannot be handled is dead-lettered alone', async () => {
    const { call } = await start()
    await call(contract.make, { keys: ['a', 'poison', 'b'] })
    const letters = () => database.query<{ name: string; reason: string }>('select name, reason from tally.dead_letter')
    await until('both letters are kept', async () => (await letters()).length === 2)
    expect((await letters()).map(({ reason }) => reason)).toEqual(['cannot', 'cannot'])
    await until('the others are heard', async () => (await heard()).length === 4)
    expect((await heard()).map(({ key }) => key)).toEqual(['a', 'a', 'b', 'b'])
  })

  test.each(['batch written', 'batch committed'])(
    'take effect once after a kill -9 at: %s',
    async (failpoint) => {
      const child = fork(new URL('child.ts', import.meta.url), {
        env: {
          ...process.env,
          ...{ DATABASE_URL: database.url, FAILPOINT: `runtime:${failpoint}`, FAILPOINT_ITEMS: '2' },
          ...(nats ? { OWN_NATS_URL: nats.url } : {}),
        },
        execArgv: ['--import', import.meta.resolve('@callboard/testkit/kill-at-failpoint')],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      const [word] = await Promise.race([once(child, 'message'), once(child, 'exit')])
      expect(word).toBe('ready')
      const ended = once(child, 'exit')
      child.send(KEYS)
      expect(await ended).toEqual([null, 'SIGKILL'])
      expect(await heard()).toHaveLength(failpoint === 'batch written' ? 0 : each.length)

      await start()
      await until('all are heard', async () => (await heard()).length === each.length, 60_000)
      await until('all are published', published)
      expect((await heard()).map(({ key, what }) => ({ key, what }))).toEqual(each)
    },
    90_000,
  )
})
