import type { AfterRestore } from '@callboard/runtime'
import type { RouterContext } from '../context.ts'
import { endAllKeys, liveKeys } from '../store/restore.repository.ts'

/**
 * Ends every key: which of them ended in the lost time, the tables cannot say, and the receipts of one that goes on would
 * contradict those that it got in that time (docs/adr/0100). Balances stand as they stood then.
 */
export async function afterRestore({ db, clock }: RouterContext, { looks }: AfterRestore): Promise<string[]> {
  if (looks) return [`${await liveKeys(db)} keys of the Router would end`]
  const ended = await db.transaction().execute((tx) => endAllKeys(tx, new Date(clock.now())))
  return [`${ended} keys of the Router ended`]
}
