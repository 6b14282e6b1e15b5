import type { Requester } from '@callboard/contract'
import type { Rate } from '@callboard/store'
import { networkOf, refuse } from '@callboard/values'
import type { OauthContext } from '../context.ts'

/** Access tokens last minutes to hours; a program may refresh at each start, too. */
export const OF_FAMILY: Rate = { burst: 60, perMinute: 1 }
/** For all families refreshed from one network, since owners, clients and links cost nothing. */
export const OF_NETWORK: Rate = { burst: 1_000, perMinute: 120 }

/**
 * Counts a refresh. Each leaves a used token for weeks, by which a thief is found, while the limit of the endpoint is
 * made for polls, which leave nothing.
 * @param requester absent where a gateway of the previous release asks
 * @returns why it is refused; undefined if it is not
 */
export async function countRefresh(
  { counters }: Pick<OauthContext, 'counters'>,
  familyId: string,
  requester: Requester | undefined,
) {
  const ofFamily = await counters.take(`refreshes:family:${familyId}`, OF_FAMILY)
  if (!ofFamily.allowed) return limited('These tokens are refreshed too often.', ofFamily.retryAfterSeconds)
  if (!requester) return undefined
  const ofNetwork = await counters.take(`refreshes:network:${networkOf(requester.address)}`, OF_NETWORK)
  return ofNetwork.allowed
    ? undefined
    : limited('Too many tokens are refreshed from your network.', ofNetwork.retryAfterSeconds)
}

const limited = (why: string, retryAfterSeconds: number) =>
  refuse('rate_limited', { message: `${why} The refresh token stays valid.`, retryAfterSeconds })
