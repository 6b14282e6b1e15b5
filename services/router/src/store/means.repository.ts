import { sql } from 'kysely'
import { type Bound, boundsOf, LEVEL_COLUMNS, type LevelRow, type LevelsQuestion, levelsOf } from './levels.ts'
import type { RouterDb } from './tables.ts'

/**
 * The level that leaves a key the least to spend now; nothing is held by the question.
 * @returns undefined for a key that is unknown or ended
 */
export async function tightestLevel(db: RouterDb, asked: LevelsQuestion): Promise<Bound | undefined> {
  const { rows } = await sql<LevelRow>`
    with ${levelsOf(asked, false)}
    select ${LEVEL_COLUMNS} from live_key cross join levels order by levels.place`.execute(db)
  return boundsOf(rows).reduce<Bound | undefined>(
    (least, one) => (least && least.left <= one.left ? least : one),
    undefined,
  )
}
