import { listings } from '@callboard/client'
import { type ListingRecord, Slug } from '@callboard/contract'
import { z } from 'zod'
import { NoListing, Usage } from '../exit-codes.ts'
import { issueOf, jsonIn } from './json-file.ts'

const { name, description, category, network, operations, payoutWallet } = listings.publish.input.shape

/** A listing as its seller's repository describes it. */
const ListingFile = z.strictObject({
  $schema: z.string().optional(),
  /** Set by the service when it creates the listing; the file of an existing listing names it. */
  slug: Slug.optional(),
  name,
  description,
  category,
  network,
  operations,
  payoutWallet: payoutWallet.optional(),
})
export type ListingFile = z.output<typeof ListingFile>

/** @throws Usage */
export function listingFileIn(file: string): ListingFile {
  const parsed = ListingFile.safeParse(jsonIn(file))
  if (!parsed.success) throw issueOf(file, parsed.error)
  return parsed.data
}

/**
 * The seller's listing that a file describes: the one of its slug, else the one of its name; undefined where it is new.
 * @throws NoListing where the slug is of no listing; Usage where another listing sells one of its endpoints, or is paid
 * elsewhere
 */
export function describedListing(wanted: ListingFile, own: readonly ListingRecord[]): ListingRecord | undefined {
  const found =
    wanted.slug === undefined
      ? own.find((listing) => listing.name === wanted.name)
      : own.find((listing) => listing.slug === wanted.slug)
  if (found) return samePayee(wanted, found)
  if (wanted.slug !== undefined)
    throw new NoListing(`You have no listing ${wanted.slug}. To create one, remove \`slug\` from the file.`)
  const keys = new Set(wanted.operations.map(operationKey))
  const selling = own.find((listing) => listing.operations.some((one) => keys.has(operationKey(one))))
  if (!selling) return undefined
  throw new Usage(
    `Your listing ${selling.slug} sells one of these endpoints. To change it, add "slug": "${selling.slug}" to the file.`,
  )
}

function samePayee(wanted: ListingFile, found: ListingRecord): ListingRecord {
  const elsewhere = found.splitter !== null && found.splitter.network !== wanted.network
  const another =
    wanted.payoutWallet !== undefined && wanted.payoutWallet.toLowerCase() !== found.payoutWallet.toLowerCase()
  if (!elsewhere && !another) return found
  const what = elsewhere ? `network (${found.splitter?.network})` : `payout wallet (${found.payoutWallet})`
  throw new Usage(`The ${what} of ${found.slug} cannot change. Withdraw it, and publish it again.`)
}

/** What tells the operations of a listing apart. */
export const operationKey = ({ method, url }: { readonly method: string; readonly url: string }): string =>
  `${method} ${URL.parse(url)?.href ?? url}`
