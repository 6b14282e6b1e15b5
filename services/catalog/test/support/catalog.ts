import { type DataOf, type EventDeclaration, eventName, type InputOf, type Operation } from '@callboard/contract'
import {
  type FakeClock,
  fakeClock,
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  until,
} from '@callboard/testkit'
import { isoTime } from '@callboard/values'
import { inject } from 'vitest'
import type { z } from 'zod'
import type { Resources } from '../../src/context.ts'
import { catalog, projectionTables } from '../../src/index.ts'

export const LINK_SIGNING_KEY = 'a key of the tests that is long enough'
export const BASE_URL = 'http://127.0.0.1:8402'
/** A time in the middle of an hour, so that a range begins inside a step. */
export const NOW = Date.parse('2026-11-20T12:30:00.000Z')

export interface Delivery {
  readonly event: EventDeclaration
  readonly data: unknown
  readonly id?: string
  readonly sequence?: number
}

export interface TestCatalog {
  readonly services: TestServices
  readonly database: TestDatabase
  readonly clock: FakeClock
  /** Publishes an event as its source would; resolves once the catalog has handled it and shows it. */
  deliver<Event extends EventDeclaration>(
    event: Event,
    data: DataOf<Event>,
    more?: Pick<Delivery, 'id' | 'sequence'>,
  ): Promise<void>
  /** Calls an operation with a client’s input, parsed as the gateway parses it; a refusal is an error. */
  ask<Op extends Operation>(op: Op, input: z.input<Op['input']>): Promise<z.output<Op['output']>>
  /** The same, with a refusal as the answer. */
  askAnyway<Op extends Operation>(op: Op, input: z.input<Op['input']>): Promise<unknown>
  /** Empties the projection without the catalog’s knowledge; resolves once it shows nothing. */
  empty(): Promise<void>
  stop(): Promise<void>
}

/** The resources of a running catalog. */
export function partsOf(services: TestServices): Resources {
  const ctx = services.contexts.get('catalog')
  if (!ctx) throw new Error('The catalog does not run')
  return ctx.resources as Resources
}

/** The catalog on its own database, with a clock stopped at NOW. */
export async function startCatalog(env: Record<string, string> = {}): Promise<TestCatalog> {
  const database = await testDatabase(inject('postgresUrl'))
  const clock = fakeClock(NOW)
  const services = await startTestServices([catalog], {
    databaseUrl: database.url,
    clock,
    env: { LINK_SIGNING_KEY, BASE_URL, STATS_CACHE_MS: '0', ...env },
  })
  let delivered = 0
  const { follower } = partsOf(services)
  const askAnyway: TestCatalog['askAnyway'] = (op, input) =>
    services.call(op, op.input.parse(input) as InputOf<typeof op>)
  return {
    services,
    database,
    clock,
    async deliver(event, data, { id, sequence } = {}) {
      delivered += 1
      await services.bus.events.publish({
        id: id ?? `event-${delivered}`,
        name: eventName(event),
        key: String((data as Record<string, unknown>)[event.key]),
        sequence: sequence ?? delivered,
        source: 'test',
        occurredAt: isoTime(clock.now()),
        data: event.data.parse(data),
      })
      await follower.caughtUp()
    },
    async ask(op, input) {
      const answer = granted(await askAnyway(op, input))
      return op.output.parse(answer) as never
    },
    askAnyway,
    async empty() {
      await database.query(`truncate ${projectionTables.map((table) => `catalog.${table}`)}`)
      await follower.caughtUp()
    },
    async stop() {
      await services.stop()
      await database.drop()
    },
  }
}

/** Keeps everybody from reading the ledger for some seconds. */
export async function lockedLedger(
  { database }: Pick<TestCatalog, 'database'>,
  seconds: number,
): Promise<{ readonly over: Promise<void>; isOver: boolean }> {
  const lock = `lock table catalog.settlement in access exclusive mode; perform pg_sleep(${seconds})`
  const over = database.query(`do $$ begin ${lock}; end $$`).then(() => {
    held.isOver = true
  })
  const held = { isOver: false, over }
  const holders = `
    select from pg_locks where granted and relation = 'catalog.settlement'::regclass and mode = 'AccessExclusiveLock'`
  await until('the ledger is locked', async () => (await database.query(holders)).length > 0)
  return held
}
