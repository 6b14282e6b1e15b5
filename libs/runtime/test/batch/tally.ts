import { event, eventsOf, operation } from '@callboard/contract'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { type Handler, onBatch, type ServiceContext, type ServiceModule, service } from '../../src/index.ts'

const data = z.object({ key: z.string() })
/** Two events about one thing, as a payment has two. */
const made = event({ id: 'tally.made', version: 1, summary: 'It was made', key: 'key', data })
const marked = event({ id: 'mark.given', version: 1, summary: 'It was marked', key: 'key', data })

export const contract = {
  make: operation({
    id: 'tally.make',
    summary: 'Makes things',
    timeoutMs: 5_000,
    input: z.object({ keys: z.array(z.string()) }),
    output: z.object({}),
    errors: [],
  }),
}
type TallyContext = ServiceContext<Record<string, never>, Record<never, never>, undefined>

const make: Handler<typeof contract.make, TallyContext> = async ({ keys }, ctx) => {
  const all = keys.map((key) => ({ key }))
  await ctx.db.transaction().execute(async (tx) => {
    await ctx.publishAll(tx, made, all)
    await ctx.publishAll(tx, marked, all)
  })
  return {}
}

/** A service that consumes its own events, and records each event it counts with the transaction that did. */
export const tally: ServiceModule = service({
  name: 'tally',
  config: z.object({}),
  migrations: {
    '0001-heard': {
      up: async (db: Kysely<unknown>) => {
        await sql`create table heard (key text not null, what text not null, tx text default pg_current_xact_id())`.execute(
          db,
        )
      },
    },
  },
  operations: contract,
  serves: { make: make as never },
  publishes: [made, marked],
  consumes: onBatch<ServiceContext, Record<never, never>>([made, marked], 50, async (events, { tx }) => {
    for (const one of [made, marked])
      for (const {
        data: { key },
      } of eventsOf(one, events)) {
        await sql`insert into heard (key, what) values (${key}, ${one.id})`.execute(tx)
        if (key === 'poison') throw new Error('cannot')
      }
  }),
})
