import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operation } from '@callboard/contract'
import { isOutage } from '@callboard/store'
import { overTcp, startTestServices, type TestServices, testDatabase, until } from '@callboard/testkit'
import { serverFolder } from '@callboard/testkit/folder'
import { startNatsServer, startRedisServer } from '@callboard/testkit/servers'
import { systemClock } from '@callboard/values'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Handler, type ServiceContext, type ServiceModule, service, startServices } from '../src/index.ts'
import type { RuntimeConfig } from '../src/settings/settings.ts'
import { openCounters } from '../src/shared-resources.ts'
import { createLogger } from '../src/telemetry/log.ts'

const shape = { timeoutMs: 5_000, input: z.object({}), output: z.object({ who: z.string() }), errors: [] }
const contract = { who: operation({ id: 'keeper.who', summary: 'As whom it signed in', ...shape }) }
type KeeperContext = ServiceContext<Record<string, never>, Record<never, never>, undefined>

const who: Handler<typeof contract.who, KeeperContext> = async (_input, { db, counters }) => {
  const { rows } = await sql<{ who: string }>`select current_user as who`.execute(db)
  await counters.raise('seen', 1, 60_000)
  return { who: rows[0]?.who ?? '' }
}
const keeper: ServiceModule = service<z.ZodObject, Record<never, never>, object, typeof contract>({
  name: 'keeper',
  config: z.object({}),
  migrations: {},
  operations: contract,
  serves: { who: who as never },
})

let folder: string
let services: TestServices | undefined
const put = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, `${text}\n`)
  return path
}
const shown = async (name: string): Promise<number> => {
  await services?.metrics.collectors.collect()
  return (await services?.metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value ?? Number.NaN
}
const rotated = (times = 1) =>
  until('the new text serves', async () => (await shown('callboard_secrets_rotated_total')) === times)
const answers = (as?: string) =>
  until('it answers', async () => {
    const answer = await services?.call(contract.who, {}).catch(() => undefined)
    return answer !== undefined && 'who' in answer && (as === undefined || answer.who === as)
  })

beforeEach(() => {
  folder = serverFolder('callboard-rotated-')
})
afterEach(async () => {
  await services?.stop()
  services = undefined
  rmSync(folder, { recursive: true, force: true })
})

describe('user and password of Postgres', () => {
  test('apply to the next connection; a URL of another server is refused and reported, and the old one stays', async () => {
    const database = await testDatabase(inject('postgresUrl'))
    const name = new URL(database.url).pathname.slice(1)
    const [first, second] = [`${name}_first`, `${name}_second`]
    const as = (username: string, more = {}) =>
      Object.assign(new URL(database.url), { username, password: `of_${username}`, ...more }).href
    const end = () =>
      database.query('select pg_terminate_backend(pid) from pg_stat_activity where usename like $1', [`${name}%`])
    try {
      for (const role of [first, second]) await database.query(`create role ${role} login password 'of_${role}'`)
      await database.query(`grant create on database ${name} to ${first}; grant ${first} to ${second}`)
      const env = { DATABASE_URL: '', DATABASE_URL_FILE: put('database', as(first)), SECRETS_LOOK_MS: '20' }
      services = await startTestServices([keeper], { databaseUrl: '', env })
      expect(await services.call(contract.who, {})).toEqual({ who: first })

      put('database', as(second))
      await rotated()
      await end()
      await answers(second)
      expect(await shown('callboard_secret_refused')).toBe(0)

      put('database', as(first, { pathname: '/postgres' }))
      await until('it is refused', async () => (await shown('callboard_secret_refused')) === 1)
      await end()
      await answers(second)
      expect(await shown('callboard_secrets_rotated_total')).toBe(1)
    } finally {
      await services?.stop()
      services = undefined
      await database.query(`drop owned by ${first}, ${second} cascade; drop role ${first}, ${second}`)
      await database.drop()
    }
  })
})

describe('a sign-in that Postgres refuses for now', () => {
  test('makes it unavailable, and is no fault of the handler', async () => {
    const database = await testDatabase(inject('postgresUrl'))
    const role = `${new URL(database.url).pathname.slice(1)}_late`
    try {
      await database.query(`create role ${role} login password 'first'`)
      await database.query(`grant create on database ${new URL(database.url).pathname.slice(1)} to ${role}`)
      services = await startTestServices([keeper], {
        databaseUrl: Object.assign(new URL(overTcp(database.url)), { username: role, password: 'first' }).href,
      })
      await answers()
      await database.query(`alter role ${role} nologin`)
      await database.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role])
      for (const _ of ['the old connection', 'a new one'])
        await expect(services.call(contract.who, {})).rejects.toMatchObject({ kind: 'unavailable' })
    } finally {
      await services?.stop()
      services = undefined
      await database.query(`drop owned by ${role} cascade; drop role ${role}`)
      await database.drop()
    }
  })
})

describe('a URL that its client could not read', () => {
  test('replaces none that works, and is not logged', async () => {
    const database = await testDatabase(inject('postgresUrl'))
    const lines: string[] = []
    const log = createLogger('info', { write: (line) => void lines.push(line) })
    const env = { DATABASE_URL_FILE: put('database', database.url), SECRETS_LOOK_MS: '20' }
    const running = await startServices([keeper], { env, log })
    const call = () =>
      running.bus.call(contract.who, {}, { caller: { kind: 'anonymous' }, requestId: 'one', timeoutMs: 5_000 })
    try {
      put('database', database.url.replace(/:\/\/([^@/]*@)?/, '://keeper:half#other-half@'))
      await until('its file was looked at', () => lines.length > 0)
      await database.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await until('it answers', async () => (await call().catch(() => undefined)) !== undefined)
      expect(lines.map((line) => JSON.parse(line)).filter(({ setting }) => setting)).toMatchObject([
        { setting: 'DATABASE_URL', refused: expect.stringMatching(/^cannot be read as a URL: /) },
      ])
      expect(lines.join('\n')).not.toContain('other-half')
    } finally {
      await running.stop()
      await database.drop()
    }
  })
})

describe.runIf(inject('natsUrl'))('a password of NATS', () => {
  test('is read for each connection, even after repeated refusals of the old one', async () => {
    const database = await testDatabase(inject('postgresUrl'))
    const start = (password: string, port?: number) =>
      startNatsServer({ storeDir: folder, args: ['--user', 'keeper', '--pass', password], ...(port ? { port } : {}) })
    const as = (url: string, password: string) => url.replace('://', `://keeper:${password}@`)
    let server = await start('first')
    try {
      const env = { NATS_URL_FILE: put('nats', as(server.url, 'first')), SECRETS_LOOK_MS: '20' }
      services = await startTestServices([keeper], { databaseUrl: database.url, env })
      await answers()

      await server.stop()
      server = await start('second', server.port)
      await until('the old one was refused more than once', async () => refusals(server.monitorUrl).then((n) => n > 2))
      put('nats', as(server.url, 'second'))
      await rotated()
      await answers()
    } finally {
      await services?.stop()
      services = undefined
      await server.stop()
      await database.drop()
    }
  })

  /** Connections that a server accepted and that have ended. */
  async function refusals(monitorUrl: string): Promise<number> {
    const answer = await fetch(`${monitorUrl}/varz`)
    const { total_connections: total, connections } = (await answer.json()) as Record<string, number>
    return (total ?? 0) - (connections ?? 0)
  }
})

describe.runIf(inject('redisUrl'))('a password of Redis', () => {
  test('that is refused, as one that the server does not know yet, is not logged', async () => {
    const server = await startRedisServer({ dataDir: folder, args: ['--requirepass', 'first'] })
    const lines: string[] = []
    const log = createLogger('warn', { write: (line) => void lines.push(line) })
    const url = server.url.replace('://', '://:second-of-tomorrow@')
    const counters = openCounters({ REDIS_URL: url } as RuntimeConfig, systemClock, log)
    try {
      await until('it was refused', () => lines.some((line) => line.includes('WRONGPASS')))
      expect(lines.join('\n')).not.toContain('second-of-tomorrow')
    } finally {
      await counters.close()
      await server.stop()
    }
  })

  test('that is refused makes Redis unavailable, and is no fault of the caller', async () => {
    const server = await startRedisServer({ dataDir: folder, args: ['--requirepass', 'first'] })
    for (const wrong of [':second@', '']) {
      const url = server.url.replace('://', `://${wrong}`)
      const counters = openCounters({ REDIS_URL: url } as RuntimeConfig, systemClock, createLogger('silent'))
      const error = await counters.raise('seen', 1, 60_000).catch((error: unknown) => error)
      expect(isOutage(error), String(error)).toBe(true)
      await counters.close()
    }
    await server.stop()
  })

  test('applies to the next connection', async () => {
    const database = await testDatabase(inject('postgresUrl'))
    const server = await startRedisServer({ dataDir: folder })
    const as = (password: string) => server.url.replace('://', `://:${password}@`)
    const administrator = new Redis(server.url)
    try {
      await administrator.config('SET', 'requirepass', 'first')
      await administrator.auth('first')
      const env = { REDIS_URL_FILE: put('redis', as('first')), SECRETS_LOOK_MS: '20' }
      services = await startTestServices([keeper], { databaseUrl: database.url, env })
      await answers()

      await administrator.config('SET', 'requirepass', 'second')
      put('redis', as('second'))
      await rotated()
      await administrator.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      await answers()
      expect(await services.contexts.get('keeper')?.counters.number('seen')).toBe(1)
    } finally {
      await services?.stop()
      services = undefined
      administrator.disconnect()
      await server.stop()
      await database.drop()
    }
  })
})
