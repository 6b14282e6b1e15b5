import { listings } from '@callboard/client'
import type { ListingRecord } from '@callboard/contract'
import { NotListable } from '../exit-codes.ts'
import type { ListingFile } from './listing-file.ts'
import type { Seller } from './seller.ts'

/**
 * Checks that a live listing could be activated again with other operations, before it is taken offline for them.
 * @throws NotListable
 */
export async function requireFit(
  seller: Seller,
  wanted: ListingFile,
  { slug, splitter }: ListingRecord,
): Promise<void> {
  if (!splitter) throw new NotListable(`${slug} is claimed: it sells what its endpoint sells. Nothing was changed.`)
  for (const { method, url, sample } of wanted.operations) {
    const { offered, message, mend } = await seller.call(listings.probe, { method, url, sample })
    const isPaid = offered.some(
      ({ payable, network, payTo }) =>
        payable && network === splitter.network && payTo.toLowerCase() === splitter.address.toLowerCase(),
    )
    const why = offered.some(({ payable }) => payable) ? `It does not pay ${splitter.address}.` : `${message} ${mend}`
    if (!isPaid) throw new NotListable(`${method} ${url} cannot be listed: ${why} Nothing was changed.`)
  }
}
