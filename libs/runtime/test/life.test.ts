import { event, operation, refusals } from '@callboard/contract'
import { startTestServices, type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { refuse } from '@callboard/values'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { every, type Handler, on, type ServiceContext, type ServiceModule, service } from '../src/index.ts'

const happened = event({
  id: 'life.happened',
  version: 1,
  summary: 'Something happened',
  key: 'key',
  data: z.object({ key: z.string() }),
})
const undeclared = event({ ...happened, id: 'life.undeclared' })
const shape = { input: z.object({ key: z.string() }), output: z.object({ ok: z.boolean() }), timeoutMs: 2_000 }
const contract = {
  write: operation({ id: 'life.write', summary: 'Writes', ...shape, errors: [refusals.notFound] }),
  ask: operation({ id: 'life.ask', summary: 'Asks another', ...shape, errors: [refusals.notFound] }),
}

interface Note {
  key: string
}
type LifeContext = ServiceContext<Record<string, never>, { note: Note }, { opened: string[] }>

const trail: string[] = []
/** How many attempts at an event still meet a Postgres that is gone. */
let outages = 0
let release = Promise.withResolvers<void>()

const write: Handler<typeof contract.write, LifeContext, typeof contract.write> = async ({ key }, ctx) => {
  if (key === 'unknown') return refuse('not_found')
  if (key === 'bug') throw new Error('a secret of the inside')
  if (key === 'undeclared') await ctx.db.transaction().execute((tx) => ctx.publish(tx, undeclared, { key }))
  if (key === 'slow') {
    trail.push('slow begins')
    await release.promise
  }
  await ctx.db.transaction().execute(async (tx) => {
    await tx.insertInto('note').values({ key }).execute()
    await ctx.publish(tx, happened, { key })
  })
  return { ok: true }
}
const ask: Handler<typeof contract.ask, LifeContext, typeof contract.write> = (input, ctx) =>
  ctx.call(contract.write, input)

const life: ServiceModule = service<
  z.ZodObject,
  { note: Note },
  { opened: string[] },
  typeof contract,
  readonly [typeof contract.write]
>({
  name: 'life',
  config: z.object({}),
  migrations: {
    '0001-note': {
      up: async (db: Kysely<unknown>) => {
        await sql`create table note (key text not null)`.execute(db)
        await sql`create table heard (key text not null, attempt serial)`.execute(db)
      },
    },
  },
  open: async () => {
    trail.push('open')
    return {
      opened: trail,
      close: async () => {
        trail.push('close')
      },
    }
  },
  operations: contract,
  serves: { write: write as never, ask: ask as never },
  calls: [contract.write],
  publishes: [happened],
  consumes: [
    on(happened, async ({ key }, ctx) => {
      await sql`insert into heard (key) values (${key})`.execute(ctx.tx)
      if (key === 'poison') throw new Error('cannot')
      if (key !== 'outage' || outages === 0) return
      outages -= 1
      throw new Error('Connection terminated unexpectedly')
    }),
  ],
  jobs: [
    every('tick', 10, async () => {
      trail.push('tick')
    }),
  ],
  edge: async () => {
    trail.push('edge')
    return {
      drain: () => void trail.push('edge drains'),
      close: async () => void trail.push('edge closed'),
    }
  },
})

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
beforeEach(() => {
  trail.length = 0
  release = Promise.withResolvers<void>()
})
afterAll(() => database.drop())

const start = () => startTestServices([life], { databaseUrl: database.url })
const heard = (key: string) => database.query<{ key: string }>('select key from life.heard where key = $1', [key])

describe('the life of a service', () => {
  test('parts open before the edge does, and close after it', async () => {
    const services = await start()
    await until('the job runs', () => trail.includes('tick'))
    await services.stop()
    const order = trail.filter((step) => step !== 'tick')
    expect(order).toEqual(['open', 'edge', 'edge drains', 'edge closed', 'close'])
    const ticks = trail.length
    await new Promise((resolve) => setImmediate(resolve))
    expect(trail.length).toBe(ticks)
  })

  test('a stop reports draining and finishes the request in hand', async () => {
    const services = await start()
    const slow = services.call(contract.write, { key: 'slow' })
    await until('it is in hand', () => trail.includes('slow begins'))
    const stopped = services.stop()
    const { status } = await fetch(`http://127.0.0.1:${services.adminPort}/readyz`)
    expect(status).toBe(503)
    release.resolve()
    expect(await slow).toEqual({ ok: true })
    await stopped
    expect(await database.query("select key from life.note where key = 'slow'")).toHaveLength(1)
  })

  test('a process without an edge also keeps serving for the shutdown delay', async () => {
    const { edge: _, ...doorless } = life
    const env = { SHUTDOWN_DELAY_MS: '3000' }
    const services = await startTestServices([doorless], { databaseUrl: database.url, env })
    const stopped = services.stop()
    // Far more rounds than a stop takes without waiting.
    for (let round = 0; round < 20; round += 1) {
      const ready = await fetch(`http://127.0.0.1:${services.adminPort}/readyz`)
      expect(await ready.text()).toBe('draining\n')
      expect(await services.call(contract.write, { key: `draining ${round}` })).toEqual({ ok: true })
      await until('what it published is heard', async () => (await heard(`draining ${round}`)).length === 1)
    }
    await stopped
  })

  test('a stop ends all jobs at once, and waits for none longer than the grace time', async () => {
    const ending = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const jobs = ending.map(({ resolve }, index) => ({
      name: `mutual-${index}`,
      run: async (_ctx: never, signal: AbortSignal) => {
        signal.addEventListener('abort', () => resolve())
        await Promise.all(ending.map(({ promise }) => promise))
        trail.push('ended')
      },
    }))
    const endless = { name: 'endless', run: () => new Promise<void>(() => {}) }
    const env = { SHUTDOWN_GRACE_MS: '500' }
    const services = await startTestServices([{ ...life, jobs: [...jobs, endless] }], {
      databaseUrl: database.url,
      env,
    })
    await services.stop()
    expect(trail.filter((step) => step === 'ended')).toHaveLength(2)
    expect(trail.at(-1)).toBe('close')
  })

  test('a configuration with problems opens nothing', async () => {
    const broken = startTestServices([life], { databaseUrl: 'not a url' })
    await expect(broken).rejects.toThrow(/DATABASE_URL: must be a postgres/)
    expect(trail).toEqual([])
  })
})

describe('a running service', () => {
  let services: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    services = await start()
  })
  afterAll(() => services.stop())

  test('a handler can call what it declared', async () => {
    expect(await services.call(contract.ask, { key: 'via' })).toEqual({ ok: true })
    expect(await services.call(contract.ask, { key: 'unknown' })).toEqual({ refusal: 'not_found' })
  })

  test('details of an internal error do not reach the caller', async () => {
    const failed = await services.call(contract.write, { key: 'bug' }).catch((error: Error) => error)
    expect(String(failed)).not.toContain('secret')
    expect(failed).toMatchObject({ kind: 'remote' })
  })

  test('an undeclared event is not published', async () => {
    await expect(services.call(contract.write, { key: 'undeclared' })).rejects.toThrow()
    expect(await database.query("select key from life.outbox where name like 'life.undeclared%'")).toEqual([])
  })

  test('an event takes effect once', async () => {
    await services.call(contract.write, { key: 'once' })
    await until('it is heard', async () => (await heard('once')).length === 1)
    const [row] = await database.query<{ id: string }>("select id from life.outbox where key = 'once'")
    await database.query("update life.outbox set published_at = null where key = 'once'")
    await services.call(contract.write, { key: 'after' })
    await until('the later one is heard', async () => (await heard('after')).length === 1)
    await until('the repeat is published', async () => {
      const waiting = await database.query('select 1 from life.outbox where published_at is null')
      return waiting.length === 0
    })
    expect(row?.id).toBeDefined()
    expect(await heard('once')).toHaveLength(1)
  })

  test('an event that cannot be handled is kept, leaves no effect, and does not block others', async () => {
    await services.call(contract.write, { key: 'poison' })
    await services.call(contract.write, { key: 'healthy' })
    await until('the healthy one is heard', async () => (await heard('healthy')).length === 1)
    await until(
      'the poison is kept',
      async () => (await database.query("select 1 from life.dead_letter where reason = 'cannot'")).length === 1,
    )
    expect(await heard('poison')).toEqual([])
  })

  test('an event is not given up because Postgres was gone for longer than all attempts take', async () => {
    outages = 10
    await services.call(contract.write, { key: 'outage' })
    await until('it is heard', async () => (await heard('outage')).length === 1)
    expect(outages).toBe(0)
    expect(await database.query("select 1 from life.dead_letter where envelope->>'key' = 'outage'")).toEqual([])
  })

  test('/livez, /readyz and /metrics answer on the admin port', async () => {
    const at = (path: string) => fetch(`http://127.0.0.1:${services.adminPort}${path}`)
    expect((await at('/livez')).status).toBe(200)
    expect((await at('/readyz')).status).toBe(200)
    const metrics = await (await at('/metrics')).text()
    expect(metrics).toContain('callboard_operation_duration_seconds_count{operation="life.write",outcome="ok"}')
    expect(metrics).toContain('callboard_outbox_waiting{service="life"} 0')
    expect(metrics).toContain('callboard_dead_letters{service="life"} 1')
  })

  test('it is not ready while Postgres takes no writes, and is again once it reaches one that does', async () => {
    const name = new URL(database.url).pathname.slice(1)
    const ready = async () => (await fetch(`http://127.0.0.1:${services.adminPort}/readyz`)).text()
    await database.query(`alter database "${name}" set default_transaction_read_only = on`)
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'callboard-life%'`,
    )
    await until('it is not ready', async () => (await ready()).includes('postgres: it takes no writes'))
    await database.query(`begin read write; alter database "${name}" reset default_transaction_read_only; commit`)
    await until('it is ready', async () => !(await ready()).includes('postgres'))
  })

  test('a job’s failure counter starts at zero, so that a rate sees the first one', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${services.adminPort}/metrics`)).text()
    expect(metrics).toContain('callboard_job_runs_total{service="life",job="tick",outcome="failed"} 0')
  })
})
