import { listings } from '@callboard/client'
import {
  acceptsOf,
  type DiagnosedProbe,
  isPayableBySome,
  type ListingRecord,
  type ShownOffer,
} from '@callboard/contract'
import { NotListable } from '../exit-codes.ts'
import type { ListingFile } from './listing-file.ts'
import { patiently } from './patiently.ts'
import type { Seller } from './seller.ts'

/** How a listing has to be paid: in this token, and nowhere but to these splitters, of which the first is its own. */
interface Terms {
  readonly token: string
  readonly splitters: readonly [Place, ...Place[]]
}
type Place = Pick<NonNullable<ListingRecord['splitter']>, 'network' | 'address'>

/**
 * Checks that a live listing could be activated again with other operations, before it is taken offline for them.
 * @throws NotListable
 */
export async function requireFit(seller: Seller, wanted: ListingFile, listing: ListingRecord): Promise<void> {
  const { slug, splitter, payoutWallet } = listing
  if (!splitter) throw new NotListable(`${slug} is claimed: it sells what its endpoint sells. Nothing was changed.`)
  const { networkStates } = await seller.call(listings.splitters, { wallet: payoutWallet })
  const terms: Terms = {
    token: networkStates.find(({ network }) => network === splitter.network)?.usdcAddress ?? '',
    splitters: [
      splitter,
      ...networkStates
        .filter(({ deployed, network }) => deployed && network !== splitter.network)
        .map(({ network, splitterAddress }) => ({ network, address: splitterAddress })),
    ],
  }
  for (const { method, url, sample } of wanted.operations) {
    const found = await patiently(() => seller.call(listings.probe, { method, url, sample }))
    const why = whyUnfit(found, terms)
    if (why) throw new NotListable(`${method} ${url} cannot be listed: ${why} Nothing was changed.`)
  }
}

/** Why the service would not activate a listing with this endpoint; undefined where it would. */
function whyUnfit(found: DiagnosedProbe, { token, splitters }: Terms): string | undefined {
  const [own] = splitters
  const accepts = acceptsOf({ state: found.state, result: found }) ?? []
  const payable = accepts.filter((way) => way.payable)
  if (payable.length === 0) return `${found.message} ${found.mend}`
  const isOwn = (way: ShownOffer) => way.scheme === 'exact' && isSame(way.asset, token) && pays(way, own)
  if (!payable.some(isOwn)) return `It does not pay ${own.address} in ${token} on ${own.network}.`
  const past = accepts.find((way) => isPayableBySome(way) && !splitters.some((place) => pays(way, place)))
  return past && `It also asks to be paid past the splitter: ${past.amount} to ${past.payTo} on ${past.network}.`
}

const pays = ({ network, payTo }: ShownOffer, place: Place) => network === place.network && isSame(payTo, place.address)

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
