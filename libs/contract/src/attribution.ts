import { HOUR_MS } from '@callboard/values'
import type { SettlementKind } from './schemas/activity.ts'
import type { ListingSnapshot } from './schemas/listing.ts'
import { Group } from './schemas/words.ts'

/** A price as a listing asks it: canonical USD text in a token of a chain. */
export interface AskedPrice {
  readonly network: string
  readonly asset: string
  readonly amountUsd: string
}

/** What a listing asked from one of its versions until a later one began. */
export interface AskedFrom {
  readonly version: number
  /** Milliseconds: when the version was written. */
  readonly since: number
  readonly prices: readonly AskedPrice[]
  /** What it sold, each as origin and path; null or absent where that was not recorded. */
  readonly resources?: readonly string[] | null
}

/** A listing that named an address as its payee. */
export interface PayeeClaim {
  readonly slug: string
  readonly group: Group
  readonly removed: boolean
  /** Milliseconds: when it first named the address. */
  readonly since: number
  /** One for each known version of the listing, in any order. */
  readonly asked: readonly AskedFrom[]
}

/**
 * How long before and after a price is known to have been asked a settlement at that price still counts. Before: a
 * seller sets a price up to about ten minutes before a check reads it. After: a payment signed under the old price
 * settles later. Block time may also differ from our clock.
 */
export const PRICE_GRACE_MS = HOUR_MS

/** What a snapshot asks for its calls. Only a live listing asks a price; the directory publishes none for any other. */
export function pricesAsked({ status, operations }: Pick<ListingSnapshot, 'status' | 'operations'>): AskedPrice[] {
  if (status !== 'live') return []
  const asked = operations.flatMap(({ price, payment }) =>
    price !== null && payment ? [{ network: payment.network, asset: payment.asset, amountUsd: price }] : [],
  )
  return [...new Map(asked.map((one) => [`${one.network} ${one.asset} ${one.amountUsd}`, one])).values()]
}

/**
 * The part of an endpoint that a payment can name: origin and path, since queries differ from call to call. Of spellings
 * that are equal by their standard there is one, as another would be a second resource without the first one's verdicts:
 * a name that ends in a dot is the same host (RFC 1034, 3.1), `%61` is the letter `a`, and `%c3` is `%C3` (RFC 3986,
 * 6.2.2). Paths that differ in case or in a final slash may be different resources.
 */
export function resourceOf(url: string): string {
  const named = new URL(url)
  if (named.hostname.endsWith('.')) named.hostname = named.hostname.slice(0, -1)
  return named.origin + oneSpelling(named.pathname)
}

/** A path with a `%` that encodes nothing is no URI, and stays: decoding what is next to it could make it an encoding. */
const oneSpelling = (path: string): string =>
  /%(?![\da-f]{2})/i.test(path) ? path : path.replace(/%[\da-f]{2}/gi, decodedIfUnreserved)

function decodedIfUnreserved(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : encoded.toUpperCase()
}

/** What a snapshot sells, in the form that payments name. Only a live listing sells. */
export const resourcesSold = ({ status, operations }: Pick<ListingSnapshot, 'status' | 'operations'>): string[] =>
  status === 'live' ? [...new Set(operations.map(({ url }) => resourceOf(url)))] : []

/** Whether a listing may claim its payee. Drafts may not, so no owner can take another's settlements with one. */
export const mayClaim = ({ status, listedAt }: Pick<ListingSnapshot, 'status' | 'listedAt'>): boolean =>
  status === 'live' || listedAt !== null

/** A settlement to be attributed to a listing. */
export interface Attributable extends AskedPrice {
  /** Milliseconds: the block's time. */
  readonly at: number
  /**
   * The resource that the payment named when our facilitator settled it, as origin and path; claimed by its payer. Null
   * or absent where it named none, or another party settled it.
   */
  readonly resource?: string | null
}

export interface Credit {
  readonly slug: string
  readonly kind: SettlementKind
  /** The other listings to which it may belong as well as to `slug`, sorted; empty where the listing is certain. */
  readonly sharedWith: readonly string[]
}

/** At most this many listings share one settlement; further ones are left out. */
const MOST_SHARING = 64

/**
 * Returns which listing a settlement belongs to, and as what. The chain knows no URL, and listings of one wallet share
 * their splitter. Candidates are the payee's listings that sold the resource the payment named, or all of them where
 * none did or none is named. The first rule that holds decides: a call of a listing that asked this amount at that
 * moment, a call of one that asked it within the grace, a transfer; then the better group. Several left share it: it is
 * shown first with one that is not removed, then with the earlier claim, and counts once.
 *
 * The resource is the payer's claim. It only chooses among the payee's listings that the chain shows.
 * @param claims of the settlement's payee; with none, no listing gets it
 */
export function creditOf(settlement: Attributable, claims: readonly PayeeClaim[]): Credit | undefined {
  const sellers = settlement.resource ? claims.filter((claim) => hasSold(claim, settlement)) : []
  const inOrder = (sellers.length > 0 ? sellers : claims)
    .map((claim): Candidate => ({ ...claim, ...askedBy(claim, settlement) }))
    .sort(
      (one, other) =>
        one.late - other.late ||
        Number(isGone(one)) - Number(isGone(other)) ||
        Group.options.indexOf(one.group) - Group.options.indexOf(other.group) ||
        Number(one.removed) - Number(other.removed) ||
        one.since - other.since ||
        (one.slug < other.slug ? -1 : 1),
    )
  const [first, ...others] = inOrder
  if (!first) return undefined
  const { slug, kind, late, group } = first
  const sharing = others.filter((other) => other.late === late && other.group === group && isPartyTo(settlement, other))
  const sharedWith = isPartyTo(settlement, first) ? sharing.map((other) => other.slug) : []
  return { slug, kind, sharedWith: sharedWith.slice(0, MOST_SHARING).sort() }
}

interface Candidate extends PayeeClaim {
  readonly kind: SettlementKind
  /** 0: it asked the amount at that moment; 1: within the grace; 2: not at all. */
  readonly late: number
}

/** A call counts for a listing even if it was removed since; a transfer is meant for one that still exists. */
const isGone = ({ kind, removed }: Candidate): boolean => kind === 'transfer' && removed

const isPartyTo = ({ at }: Attributable, candidate: Candidate): boolean =>
  candidate.kind === 'call' || (!candidate.removed && candidate.since <= at + PRICE_GRACE_MS)

function askedBy(claim: PayeeClaim, settlement: Attributable): Pick<Candidate, 'kind' | 'late'> {
  const late = [0, PRICE_GRACE_MS].findIndex((graceMs) =>
    wasThen(claim, settlement.at, graceMs, ({ prices }) => prices.some((price) => isSamePrice(price, settlement))),
  )
  return late === -1 ? { kind: 'transfer', late: 2 } : { kind: 'call', late }
}

const hasSold = (claim: PayeeClaim, { at, resource }: Attributable): boolean =>
  wasThen(claim, at, PRICE_GRACE_MS, ({ resources }) => resources?.some((one) => one === resource) ?? false)

/** Whether any version in force at a moment, or within a grace of it, satisfies `isSuch`. */
function wasThen({ asked }: PayeeClaim, at: number, graceMs: number, isSuch: (version: AskedFrom) => boolean): boolean {
  let until = Number.POSITIVE_INFINITY
  for (const version of asked.toSorted((one, other) => other.version - one.version)) {
    const isThen = at >= version.since - graceMs && at <= until + graceMs
    if (isThen && isSuch(version)) return true
    until = Math.min(until, version.since)
  }
  return false
}

const isSamePrice = (one: AskedPrice, other: AskedPrice): boolean =>
  one.network === other.network && one.asset === other.asset && one.amountUsd === other.amountUsd
