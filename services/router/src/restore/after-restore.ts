import type { AfterRestore } from '@callboard/runtime'
import type { RouterContext } from '../context.ts'
import { endAllKeys, liveKeys, releaseHolds } from '../store/restore.repository.ts'

/**
 * Ends every key: the tables cannot say which keys ended in the lost time, and new receipts of a continuing key would
 * contradict those that it issued then (docs/adr/0100). So would receipts of calls that were under way, which end without
 * one. Balances stay as restored.
 */
export async function afterRestore({ db, clock }: RouterContext, { dryRun }: AfterRestore): Promise<string[]> {
  if (dryRun) return [`${await liveKeys(db)} keys of the Router would end`]
  const now = new Date(clock.now())
  const ended = await db.transaction().execute(async (tx) => {
    await releaseHolds(tx, now)
    return endAllKeys(tx, now)
  })
  return [`${ended} keys of the Router ended`]
}
