import type { Counters } from '@callboard/store'
import { DAY_MS } from '@callboard/values'

/** The shared counter that shows an owner's epoch to every gateway. */
export const epochKey = (owner: string): string => `epoch:${owner}`

/** The shared counter of a token family: 0 while it is live, 1 once it has ended. */
export const familyKey = (familyId: string): string => `epoch:family:${familyId}`

export const OVER = 1

const EPOCH_TTL_MS = DAY_MS

interface Shows {
  readonly counters: Counters
}

/**
 * Shows an epoch to the gateways, which voids their cached answers of older epochs. The counter only rises, so a slow
 * introspection cannot restore an old epoch. A revocation awaits this before it is acknowledged; if it throws, the
 * revocation is not acknowledged.
 */
export const showEpoch = (ctx: Shows, key: string, epoch: number): Promise<number> =>
  ctx.counters.raise(key, epoch, EPOCH_TTL_MS)

/** Voids what gateways have cached of ended families. Repeating it is safe. */
export const showEnded = async (ctx: Shows, familyIds: readonly string[]): Promise<void> => {
  await Promise.all(familyIds.map((id) => showEpoch(ctx, familyKey(id), OVER)))
}
