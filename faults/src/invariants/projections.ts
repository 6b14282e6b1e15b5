import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { projectionTables } from '@callboard/catalog'
import type { World } from '../world.ts'
import { foundAfter, type Invariant } from './invariant.ts'

/** A rebuild takes seconds on a busy machine, and earlier events have to be handled first. */
const TRIES_MS = 180_000

/** Every row of the projection by its content, without columns that only say when it was written. */
async function dump({ db }: World): Promise<Map<string, Set<string>>> {
  const tables = new Map<string, Set<string>>()
  for (const table of projectionTables) {
    const { rows: columns } = await db.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'catalog' and table_name = $1 and data_type <> 'xid8'`,
      [table],
    )
    const kept = columns.map(({ name }) => `'${name}', one."${name}"`).join(', ')
    const { rows } = await db.query<{ row: string }>(
      `select jsonb_build_object(${kept})::text as row from catalog."${table}" one`,
    )
    tables.set(table, new Set(rows.map(({ row }) => row)))
  }
  return tables
}

/** The number of events. */
async function pulse({ db }: World): Promise<string> {
  const { rows } = await db.query<{ pulse: string }>(
    `select (select count(*) from listings.outbox) || ' ' || (select count(*) from liveness_prober.outbox) || ' ' ||
            (select count(*) from chain_indexer.outbox) || ' ' || (select count(*) from x402_facilitator.outbox) as pulse`,
  )
  return rows[0]?.pulse ?? ''
}

/**
 * Rebuilds the projection.
 * @returns how many rows differed from what the events say, counted in the transaction that holds all events back
 */
async function rebuilt({ rebuild, cluster }: World): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [rebuild, 'catalog'], { env: cluster.env })
  return Number(/; (\d+) rows differed/.exec(stdout)?.[1])
}

/** The directory's tables match its event logs: dropped and rebuilt, they are the same. */
export const projections: Invariant = {
  name: 'every projection equals its rebuild',
  broken: (world) =>
    foundAfter(TRIES_MS, async () => {
      const before = await pulse(world)
      const live = await dump(world)
      const mended = await rebuilt(world)
      const again = await dump(world)
      const found = [...live].flatMap(([table, rows]) => {
        const made = again.get(table) ?? new Set()
        const gone = [...rows].filter((row) => !made.has(row)).map((row) => `${table}: the rebuild lacks ${row}`)
        return [...gone, ...[...made].filter((row) => !rows.has(row)).map((row) => `${table}: the rebuild has ${row}`)]
      })
      if (found.length === 0 || (await pulse(world)) === before) return found
      // A check by the prober in between changes both sides, so that only the rebuild's own count can be compared.
      return mended === 0 ? [] : ['events came in while the projection was rebuilt']
    }),
}
