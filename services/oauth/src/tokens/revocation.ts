import type { Counters } from '@callboard/store'
import { DAY_MS } from '@callboard/values'

/** The shared counter that shows an owner's epoch to every gateway. */
export const epochKey = (owner: string): string => `epoch:${owner}`

/** The shared counter of a token family: 0 while it goes on, 1 when it is over. */
export const familyKey = (familyId: string): string => `epoch:family:${familyId}`

export const OVER = 1

const EPOCH_TTL_MS = DAY_MS

interface Shows {
  readonly counters: Counters
}

/**
 * Shows an epoch to the gateways, whose caches of an older epoch are void from then on. The counter only rises, so a
 * slow introspection cannot put an old epoch back.
 * A revocation awaits this before it is acknowledged; when it throws, the revocation is not acknowledged.
 */
export const showEpoch = (ctx: Shows, key: string, epoch: number): Promise<number> =>
  ctx.counters.raise(key, epoch, EPOCH_TTL_MS)

/** Voids what gateways keep of families that were ended. Ended ones may be shown again. */
export const showEnded = async (ctx: Shows, familyIds: readonly string[]): Promise<void> => {
  await Promise.all(familyIds.map((id) => showEpoch(ctx, familyKey(id), OVER)))
}
