import type { OfferChange, OfferField } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { OfferedOperation } from './offered.ts'

/** The offers of one version of a listing. */
export interface OfferedFrom {
  readonly version: number
  readonly since: Date
  readonly offers: readonly OfferedOperation[]
}

/** The offers of a listing's newest versions. */
export interface OfferedVersions {
  readonly versions: readonly OfferedFrom[]
  /** Whether these are all versions. */
  readonly isWhole: boolean
}

const FIELDS = [
  'price',
  'scheme',
  'network',
  'asset',
  'payTo',
  'maxTimeoutSeconds',
  'inputSchema',
  'outputSchema',
] as const satisfies readonly OfferField[]

/** The changes of one version, ordered by endpoint and field. */
export interface ChangedOffers {
  readonly version: number
  readonly since: Date
  readonly changes: readonly OfferChange[]
}

/**
 * The changes from each version to the next, newest version first; versions that changed nothing are left out. An
 * endpoint that appears or disappears is one change, of `payable`, since all its other fields come and go with it. The
 * first version's offers are not a change.
 */
export function changedOffers(versions: readonly OfferedFrom[]): ChangedOffers[] {
  const inOrder = versions.toSorted((one, other) => one.version - other.version)
  return inOrder
    .map((version, at) => {
      const before = inOrder[at - 1]
      const { since } = version
      return { version: version.version, since, changes: before ? changesBetween(before.offers, version) : [] }
    })
    .filter(({ changes }) => changes.length > 0)
    .reverse()
}

/** The same changes as one list, newest first. */
export const offerChanges = (versions: readonly OfferedFrom[], limit: number): OfferChange[] =>
  changedOffers(versions)
    .flatMap(({ changes }) => changes.toReversed())
    .slice(0, limit)

function changesBetween(before: readonly OfferedOperation[], { since, offers }: OfferedFrom): OfferChange[] {
  const past = new Map(before.map((one) => [keyOf(one), one]))
  const now = new Map(offers.map((one) => [keyOf(one), one]))
  return [...new Set([...past.keys(), ...now.keys()])].sort().flatMap((key) => {
    const [was, is] = [past.get(key), now.get(key)]
    const { method, url } = (is ?? was) as OfferedOperation
    const change = (field: OfferField, from: string | null, to: string | null): OfferChange => ({
      ...{ at: isoTime(since.getTime()), method, url, field, from, to },
    })
    if (!was || !is) return change('payable', was ? 'true' : 'false', is ? 'true' : 'false')
    return FIELDS.filter((field) => wasSaid(was, is, field)).map((field) =>
      change(field, textOf(was[field]), textOf(is[field])),
    )
  })
}

/** A window that an older release did not record is not a change once it is recorded. */
function wasSaid(was: OfferedOperation, is: OfferedOperation, field: (typeof FIELDS)[number]): boolean {
  if (field === 'maxTimeoutSeconds' && (was[field] === undefined || is[field] === undefined)) return false
  return was[field] !== is[field]
}

const keyOf = ({ method, url }: OfferedOperation): string => `${method} ${url}`

const textOf = (value: string | number | undefined): string | null => (value === undefined ? null : String(value))
