import { catalog, derivedColumns, projectionTables } from '@callboard/catalog'
import { eventName } from '@callboard/contract'
import { handleOnce, type ServiceContext, type ServiceModule, schemaOf } from '@callboard/runtime'
import { isoTime } from '@callboard/values'
import { sql } from 'kysely'
import { TakenTogether } from './taken-together.ts'

/** A service whose tables are fully derived from events. */
export interface Projection {
  readonly module: ServiceModule
  /** The tables made from events alone. */
  readonly tables: readonly string[]
  /** Their columns that something else writes, by table. */
  readonly derived: Readonly<Record<string, readonly string[]>>
  /** The source that is read before the others, because their events are credited to what it published. */
  readonly first: string
}

export const projections: readonly Projection[] = [
  { module: catalog, tables: projectionTables, derived: derivedColumns, first: 'listings' },
]

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
 * Passes the events stored in the sources' outboxes to a projection's consumers, except those that its inbox has seen:
 * an outbox keeps what was published.
 * @param ctx of the schema that is filled
 * @returns how many events were handled
 */
export async function readEvents(
  { module, first }: Projection,
  ctx: ServiceContext,
  sources: readonly ServiceModule[],
): Promise<number> {
  let handled = 0
  // A listing that arrives after settlements causes all those of its payees to be judged again.
  for (const source of sources.toSorted(({ name }, other) => +(other.name === first) - +(name === first))) {
    const wanted = module.consumes.filter(({ event }) =>
      source.publishes.some((one) => eventName(one) === eventName(event)),
    )
    if (wanted.length === 0) continue
    const byName = new Map(wanted.map((consumption) => [eventName(consumption.event), consumption]))
    const takenTogether = new TakenTogether(ctx)
    for await (const event of unseenEvents(ctx, source, [...byName.keys()])) {
      const consumption = byName.get(event.name)
      if (!consumption) continue
      const { occurred_at, ...rest } = event
      const envelope = { ...rest, source: source.name, occurredAt: isoTime(occurred_at.getTime()) }
      if (consumption.batch) handled += await takenTogether.add(consumption.batch, envelope)
      else if (await handleOnce(consumption, ctx, envelope)) handled += 1
    }
    handled += await takenTogether.handle()
  }
  return handled
}

async function* unseenEvents(
  ctx: ServiceContext,
  source: ServiceModule,
  names: readonly string[],
): AsyncGenerator<LoggedEvent> {
  const outbox = sql.table(`${schemaOf(source.name)}.outbox`)
  let after = 0
  for (;;) {
    const { rows } = await sql<LoggedEvent>`
      select sequence, id, name, key, occurred_at, data from ${outbox} told
      where sequence > ${after} and name = any(${names})
        and not exists (select from inbox where inbox.consumer = told.name and inbox.event_id = told.id)
      order by sequence limit ${PAGE}`.execute(ctx.db)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.sequence
  }
}
