import type { DiscoveryItem } from '@callboard/contract'
import { isPriced } from './check-summary.ts'
import { invokeHref } from './invoke-link.ts'
import type { Listed } from './listed.ts'
import { madeOnce } from './made-once.ts'

const SUMMARY_CHARACTERS = 500

/** The one scheme that can be paid here. */
const PAYABLE_SCHEME = 'exact'

/** Makes the items of discovery; each once for as long as its listing is held, since neither it nor its link changes. */
export function discoveryItems(key: string): (listed: Listed, network?: string) => DiscoveryItem {
  const byNetwork = madeOnce((_listed: Listed) => new Map<string | undefined, DiscoveryItem>())
  return (listed, network) => {
    const items = byNetwork(listed)
    const item = items.get(network) ?? discoveryItem(listed, key, network)
    items.set(network, item)
    return item
  }
}

/**
 * A listing as discovery shows it: the card, and the call of one endpoint. That is the first one that can be paid, on
 * the network that was asked for; without such a one the first that has a price.
 */
function discoveryItem(listed: Listed, key: string, network?: string): DiscoveryItem {
  const { slug, name, description, provenance, group, fee, verification } = listed.snapshot
  const { operation, payable, mpp } = shownOperation(listed, network)
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
      ],
    },
    kind: 'api',
    provenance,
    group,
    fee,
    verification,
    execution: { mode: payable ? 'direct' : 'unavailable', url, method, network: payment.network, payable },
    action: {
      type: 'invoke_api',
      href: invokeHref(key, { url, method, schema: `/api/calls/${slug}`, network: payment.network }),
    },
  }
}

function shownOperation({ snapshot, mpp }: Listed, network: string | undefined) {
  const candidates = snapshot.operations
    .map((operation, index) => ({ operation, mpp: mpp.includes(index) }))
    .flatMap((one) => (isPriced(one.operation) ? [{ ...one, operation: one.operation }] : []))
    .filter(({ operation }) => network === undefined || operation.payment.network === network)
    .map((one) => ({ ...one, payable: !one.mpp && one.operation.payment.scheme === PAYABLE_SCHEME }))
  const shown = candidates.find(({ payable }) => payable) ?? candidates[0]
  if (!shown)
    throw new Error(`Listing ${snapshot.slug} is published without a priced endpoint on ${network ?? 'any network'}`)
  return shown
}

function badges({ snapshot: { verification, group } }: Listed, mpp: boolean): { code: string; label: string }[] {
  return [
    ...(group === 'svc' ? [{ code: 'first_party', label: 'By this service' }] : []),
    ...(group === 'external' ? [{ code: 'mirrored', label: 'Mirrored' }] : []),
    ...(verification === 'verified' ? [{ code: 'verified', label: 'Verified' }] : []),
    ...(verification === 'requested' ? [{ code: 'review_requested', label: 'Review requested' }] : []),
    ...(mpp ? [{ code: 'mpp', label: 'MPP' }] : []),
  ]
}

function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= SUMMARY_CHARACTERS ? text : `${characters.slice(0, SUMMARY_CHARACTERS - 1).join('')}…`
}
