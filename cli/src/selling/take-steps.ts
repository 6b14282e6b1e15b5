import { listings, payoutProof } from '@callboard/client'
import type { ListingRecord, ListingWarning } from '@callboard/contract'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Changes } from './changes.ts'
import type { ListingFile } from './listing-file.ts'
import { patiently } from './patiently.ts'
import type { Step } from './plan.ts'
import type { Seller } from './seller.ts'

/** What the steps of a publication need. */
export interface Publication {
  readonly seller: Seller
  readonly wanted: ListingFile
  readonly changes: Changes
  /** Asked only where a listing is created. */
  readonly wallet: () => PrivateKeyAccount
  readonly onStep: (step: Step) => void
}

export interface Published {
  readonly listing: Pick<ListingRecord, 'slug'>
  readonly warnings: readonly ListingWarning[]
}

/** Takes the steps in order. @param listing undefined where the first step creates it */
export async function takeSteps(
  publication: Publication,
  steps: readonly Step[],
  listing: Pick<ListingRecord, 'slug'> | undefined,
): Promise<Published> {
  let at: Published = { listing: listing ?? { slug: '' }, warnings: [] }
  for (const step of steps) {
    at = { ...at, ...(await patiently(() => take(publication, step, at.listing.slug))) }
    publication.onStep(step)
  }
  return at
}

async function take(
  { seller, wanted, changes, wallet }: Publication,
  step: Step,
  slug: string,
): Promise<Partial<Published>> {
  const { name, description, category, operations, network } = wanted
  if (step === 'create') {
    const account = wallet()
    const proof = await payoutProof(seller.api, account, network)
    const draft = { name, description, category, operations, network, payoutWallet: account.address }
    return seller.call(listings.publish, { ...draft, ...proof })
  }
  if (step === 'replace') return seller.call(listings.replace, { slug, category, operations })
  if (step === 'edit') {
    await seller.call(listings.edit, { slug, ...changes.words })
    return {}
  }
  const { listing, warnings } = await seller.call(listings.setStatus, { slug, action: step })
  return step === 'activate' ? { listing, warnings } : { listing }
}
