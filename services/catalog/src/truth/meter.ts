import type { Clock } from '@callboard/values'
import { sql } from 'kysely'
import { judge } from '../domain/truth-meter/judge.ts'
import { usageOf, usedSince } from '../domain/usage.ts'
import { volumesOf } from '../store/sums/listing-volume.repository.ts'
import { keepVerdicts, markSettlements, paidWeek, takeDoubted } from '../store/sums/paid-week.repository.ts'
import { FOLDED_AT_ONCE, foldChanges, isBehind, lockSums, pendingChanges } from '../store/sums/rollup.repository.ts'
import { countSince, keepUsage, takeDoubtedUsage } from '../store/sums/usage.repository.ts'
import type { CatalogDb } from '../store/tables.ts'

interface Dependencies {
  readonly db: CatalogDb
  readonly clock: Clock
  readonly config: { readonly DUST_USD: string }
}

/** Adds up recorded changes, once. @returns whether there may be more */
export const addUp = ({ db, config }: Dependencies): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await lockSums(tx)
    return (await foldChanges(tx, config.DUST_USD)) === FOLDED_AT_ONCE
  })

/** How long a reader waits for the lock on the sums before it reads what has been added up so far. */
const READER_PATIENCE_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

/** Adds up the latest changes, unless another process takes long; its changes stay recorded until it commits. */
export async function addUpBeforeRead({ db, config }: Dependencies): Promise<void> {
  if ((await pendingChanges(db, 1)) === 0) return
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(READER_PATIENCE_MS)}`.execute(tx)
      await lockSums(tx)
      await foldChanges(tx, config.DUST_USD)
    })
    .catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
    })
}

/** Judges the newest week with doubted edges. @returns whether there was one */
export const judgeOne = ({ db, config }: Dependencies): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await lockSums(tx)
    const doubted = await takeDoubted(tx)
    if (!doubted) return false
    const { week, edges } = doubted
    const verdicts = judge(await paidWeek(tx, week))
    const changed = await keepVerdicts(tx, week, verdicts)
    await markSettlements(tx, week, { edges: distinct([...edges, ...changed]), verdicts, dustUsd: config.DUST_USD })
    return true
  })

/** Whether there is anything to add up, to judge or to renew. */
export const hasWork = ({ db, clock }: Dependencies): Promise<boolean> => isBehind(db, usedSince(clock.now()))

/** The most listings whose usage is renewed at once. */
const USAGES_AT_ONCE = 500

/**
 * Brings the usage of some listings up to date with the sums. It waits for writers of the directory, who may wait for
 * the sums, so it is a transaction of its own.
 * @returns whether there may be more
 */
export const renewUsage = ({ db, clock }: Dependencies): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await lockSums(tx)
    const since = usedSince(clock.now())
    await countSince(tx, since)
    const slugs = await takeDoubtedUsage(tx, USAGES_AT_ONCE)
    if (slugs.length === 0) return false
    const volumes = await volumesOf(tx, slugs, since)
    const usages = volumes.map(({ slug, survivingCalls: calls, survivingVolumeUsd: volumeUsd }) => ({
      slug,
      ...usageOf({ calls, volumeUsd }),
    }))
    await keepUsage(tx, slugs, usages)
    return slugs.length === USAGES_AT_ONCE
  })

/** Adds up and judges until nothing is left to do. */
export async function settleAll(deps: Dependencies): Promise<void> {
  while (await hasWork(deps)) {
    while (await addUp(deps));
    while (await judgeOne(deps));
    while (await renewUsage(deps));
  }
}

const distinct = <Edge extends { payer: string; payTo: string }>(edges: readonly Edge[]): Edge[] => [
  ...new Map(edges.map((edge) => [`${edge.payer} ${edge.payTo}`, edge])).values(),
]
