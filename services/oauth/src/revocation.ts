import { DAY_MS } from '@callboard/values'
import type { OauthKit } from './kit.ts'

/** The shared counter that shows an owner's epoch to every gateway. */
export const epochKey = (owner: string): string => `epoch:${owner}`

const EPOCH_TTL_MS = DAY_MS

/**
 * Shows an owner's epoch to the gateways, whose caches of an older epoch are void from then on. The counter only
 * rises, so a slow introspection cannot put an old epoch back.
 * A revocation awaits this before it is acknowledged; when it throws, the revocation is not acknowledged.
 */
export const showEpoch = (ctx: Pick<OauthKit, 'counters'>, owner: string, epoch: number): Promise<number> =>
  ctx.counters.raise(epochKey(owner), epoch, EPOCH_TTL_MS)
