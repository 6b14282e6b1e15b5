/** How many open postings there are beside one, and how many there may be. */
export interface Room {
  readonly ofOwner: number
  readonly mostOfOwner: number
  /** Of owners without a verified listing, from the network that the request comes from. */
  readonly ofNetwork: number
  readonly mostOfNetwork: number
  /** Of owners without a verified listing. */
  readonly inAll: number
  readonly mostInAll: number
  /** Of the network that holds most of these. */
  readonly ofFullest: number
}

/**
 * Whether one more may be open. Owners cost nothing, so those without a verified listing share one sum, by networks: when it is
 * full, a network that holds fewer takes a place of the one that holds most.
 * @returns `displace`: the oldest posting of the fullest network has to end first
 */
export function roomFor(room: Room, hasVerifiedListing: boolean): 'free' | 'displace' | 'owner' | 'network' | 'all' {
  if (room.ofOwner >= room.mostOfOwner) return 'owner'
  if (hasVerifiedListing) return 'free'
  if (room.ofNetwork >= room.mostOfNetwork) return 'network'
  if (room.inAll < room.mostInAll) return 'free'
  return room.ofFullest > room.ofNetwork + 1 ? 'displace' : 'all'
}
