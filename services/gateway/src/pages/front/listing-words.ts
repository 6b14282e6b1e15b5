import type { InvokedCall, Liveness } from '@callboard/contract'
import { counted } from '../wording.ts'

type Listing = Pick<InvokedCall['listing'], 'group' | 'verified' | 'verification'>

export const BY_PROBE = 'By our own checks'

export const reviewOf = ({ group, verified }: Listing): string => {
  if (group === 'svc') return 'sold by this service itself'
  return verified ? 'verified by the operator' : 'not reviewed'
}

/** Whose words they are. A review is only requested for a listing that its provider published or claimed. */
export const saidBy = ({ group, verification }: Listing): string =>
  group === 'external' && verification === 'none'
    ? 'The provider did not list this here. Unless it has claimed the listing, name and description are the words of the source in which we found it, or of the endpoint.'
    : 'Names and descriptions are the provider’s own words.'

/** Rounded down, as in the directory: one failed check of thousands is not 100 %. */
export const uptime = ({ checks7d, uptime7d }: Liveness): string =>
  checks7d === 0 ? 'not checked yet' : `${Math.floor(uptime7d * 1_000) / 10} % (${counted(checks7d, 'check')})`

export const answerTime = ({ latencyP50Ms, latencyP95Ms }: Liveness): string =>
  `${latencyP50Ms} ms at the median, ${latencyP95Ms} ms at the 95th percentile`
