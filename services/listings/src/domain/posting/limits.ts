/** How many other postings are open, and how many may be. */
export interface PostingLimits {
  readonly ofOwner: number
  readonly mostOfOwner: number
  /** Of owners without a verified listing, from the network of the request. */
  readonly ofNetwork: number
  readonly mostOfNetwork: number
  /** Of owners without a verified listing. */
  readonly inAll: number
  readonly mostInAll: number
  /** Of the network with most of these. */
  readonly ofFullest: number
}

/**
 * Whether one more may be open. Owners cost nothing, so those without a verified listing share one limit, divided by
 * network: if it is reached, a network with fewer postings takes a place of the one with most.
 * @returns `displace`: the oldest posting of the fullest network must end first
 */
export function placeFor(
  limits: PostingLimits,
  hasVerifiedListing: boolean,
): 'free' | 'displace' | 'owner' | 'network' | 'all' {
  if (limits.ofOwner >= limits.mostOfOwner) return 'owner'
  if (hasVerifiedListing) return 'free'
  if (limits.ofNetwork >= limits.mostOfNetwork) return 'network'
  if (limits.inAll < limits.mostInAll) return 'free'
  return limits.ofFullest > limits.ofNetwork + 1 ? 'displace' : 'all'
}
