import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { projectionTables } from '@callboard/catalog'
import type { World } from '../world.ts'
import { foundAfter, type Invariant } from './invariant.ts'

/** A rebuild takes seconds on a busy machine, and has to fall between two checks of the prober. */
const TRIES_MS = 180_000

/** Every row of the projection by its content; what only says when a row was written is left out. */
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

/** How many events there are. */
async function pulse({ db }: World): Promise<string> {
  const { rows } = await db.query<{ pulse: string }>(
    `select (select count(*) from listings.outbox) || ' ' || (select count(*) from liveness_prober.outbox) || ' ' ||
            (select count(*) from chain_indexer.outbox) || ' ' || (select count(*) from x402_facilitator.outbox) as pulse`,
  )
  return rows[0]?.pulse ?? ''
}

/** The directory's tables are what its event logs say: dropped and read again, they are the same. */
export const projections: Invariant = {
  name: 'every projection equals its rebuild',
  broken: (world) =>
    foundAfter(TRIES_MS, async () => {
      const before = await pulse(world)
      const live = await dump(world)
      await promisify(execFile)(process.execPath, [world.rebuild, 'catalog'], { env: world.cluster.env })
      const rebuilt = await dump(world)
      const found = [...live].flatMap(([table, rows]) => {
        const again = rebuilt.get(table) ?? new Set()
        const gone = [...rows].filter((row) => !again.has(row)).map((row) => `${table}: the rebuild lacks ${row}`)
        return [...gone, ...[...again].filter((row) => !rows.has(row)).map((row) => `${table}: the rebuild has ${row}`)]
      })
      // A check of the prober in between changes both sides; then the two cannot be compared.
      return found.length > 0 && (await pulse(world)) !== before
        ? ['events came in while the projection was rebuilt']
        : found
    }),
}
