import { catalog, projectionTables } from '@callboard/catalog'
import { eventName } from '@callboard/contract'
import { handleOnce, type ServiceContext, type ServiceModule, schemaOf } from '@callboard/runtime'
import { isoTime } from '@callboard/values'
import { sql } from 'kysely'

/** A service whose tables say nothing that the events do not say. */
export interface Projection {
  readonly module: ServiceModule
  /** What is emptied before the events are read again. */
  readonly tables: readonly string[]
}

export const projections: readonly Projection[] = [{ module: catalog, tables: projectionTables }]

const PAGE = 500

interface LoggedEvent {
  sequence: number
  id: string
  name: string
  key: string
  occurred_at: Date
  data: unknown
}

/**
 * Empties a projection and reads the event logs of its sources again: their outboxes, which keep what was published.
 * Events that arrive meanwhile go through the same inbox, so each is handled once, whichever copy comes first.
 * @returns how many events were handled
 */
export async function rebuildProjection(
  { module, tables }: Projection,
  ctx: ServiceContext,
  sources: readonly ServiceModule[],
): Promise<number> {
  await ctx.db.transaction().execute(async (tx) => {
    await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx)
    await sql`delete from inbox`.execute(tx)
  })
  let handled = 0
  for (const source of sources) {
    const wanted = module.consumes.filter(({ event }) =>
      source.publishes.some((one) => eventName(one) === eventName(event)),
    )
    if (wanted.length === 0) continue
    const byName = new Map(wanted.map((consumption) => [eventName(consumption.event), consumption]))
    for await (const event of eventsOf(ctx, source, [...byName.keys()])) {
      const consumption = byName.get(event.name)
      if (!consumption) continue
      const { occurred_at, ...rest } = event
      const envelope = { ...rest, source: source.name, occurredAt: isoTime(occurred_at.getTime()) }
      if (await handleOnce(consumption, ctx, envelope)) handled += 1
    }
  }
  return handled
}

async function* eventsOf(
  ctx: ServiceContext,
  source: ServiceModule,
  names: readonly string[],
): AsyncGenerator<LoggedEvent> {
  const outbox = sql.table(`${schemaOf(source.name)}.outbox`)
  let after = 0
  for (;;) {
    const { rows } = await sql<LoggedEvent>`
      select sequence, id, name, key, occurred_at, data from ${outbox}
      where sequence > ${after} and name = any(${names}) order by sequence limit ${PAGE}`.execute(ctx.db)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.sequence
  }
}
