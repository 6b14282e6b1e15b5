import type { DiscoveryItem } from '@callboard/contract'
import { isPayable, isPriced } from './check-summary.ts'
import { type Filters, isOffered } from './filters.ts'
import { invokeAction } from './invoke-link.ts'
import type { DirectoryListing } from './listed.ts'
import { shortened } from './shortened.ts'
import { callsText } from './usage.ts'

/**
 * A listing as discovery shows it: the card, and the call of one endpoint. That is the first payable one of the priced
 * endpoints that satisfy the filters, or else the first of these.
 * @param key signs its link
 */
export function discoveryItem(listed: DirectoryListing, key: string, filters: Filters = {}): DiscoveryItem {
  const { operation, payable, mpp } = shownOperation(listed, filters)
  const { slug, name, description, provenance, group, fee, verification } = listed.snapshot
  const { method, url, price, payment } = operation
  return {
    ref: slug,
    card: {
      title: name,
      summary: shortened(description),
      byline: URL.parse(url)?.host ?? url,
      badges: badges(listed, mpp),
      facts: [
        { label: 'price', value: `$${price}` },
        { label: 'network', value: payment.network },
        { label: 'method', value: method },
        ...uptimeFact(listed.liveness),
        ...callsFact(listed),
      ],
    },
    kind: 'api',
    provenance,
    group,
    fee,
    verification,
    execution: { mode: payable ? 'direct' : 'unavailable', url, method, network: payment.network, payable },
    action: invokeAction(key, slug, operation),
  }
}

/** The results of our checks in a week; nothing before the first one. */
const uptimeFact = ({ uptime7d, checks7d }: DirectoryListing['liveness']) =>
  checks7d > 0
    ? [
        {
          label: 'uptime',
          value: `${Math.floor(uptime7d * 1_000) / 10}% in 7 days (${checks7d} check${checks7d === 1 ? '' : 's'})`,
        },
      ]
    : []

/** The listing's own paid calls that show no pattern of invented volume; nothing before the first one. */
const callsFact = (listing: DirectoryListing) => {
  const value = callsText(listing)
  return value === undefined ? [] : [{ label: 'calls', value }]
}

function shownOperation({ snapshot, mpp }: DirectoryListing, filters: Filters) {
  const candidates = snapshot.operations
    .map((operation, index) => ({ operation, mpp: mpp.includes(index) }))
    .flatMap((one) => (isPriced(one.operation) ? [{ ...one, operation: one.operation }] : []))
    .filter(({ operation }) => isOffered(operation, filters))
    .map((one) => ({ ...one, payable: isPayable(one.operation, one.mpp) }))
  const shown = candidates.find(({ payable }) => payable) ?? candidates[0]
  if (!shown) throw new Error(`Listing ${snapshot.slug} is shown without an endpoint that is as asked for`)
  return shown
}

function badges(
  { snapshot: { verification, group } }: DirectoryListing,
  mpp: boolean,
): { code: string; label: string }[] {
  return [
    ...(group === 'svc' ? [{ code: 'first_party', label: 'By this service' }] : []),
    ...(group === 'external' ? [{ code: 'mirrored', label: 'Mirrored' }] : []),
    ...(verification === 'verified' ? [{ code: 'verified', label: 'Verified' }] : []),
    ...(verification === 'requested' ? [{ code: 'review_requested', label: 'Review requested' }] : []),
    ...(mpp ? [{ code: 'mpp', label: 'MPP' }] : []),
  ]
}
