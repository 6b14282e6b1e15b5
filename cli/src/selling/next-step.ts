import { type ListingRecord, Slug } from '@callboard/contract'

/** What an owner can do next for a listing; undefined where nothing is left to do. */
export function nextStep(listing: ListingRecord): string | undefined {
  const { status, verification, rejection, suspension, suspendedReason, operations, splitter } = listing
  const verdict = rejection ?? suspension
  if (verdict)
    return `Fix what the operator names (${verdict.reason ?? 'no reason given'}), publish it again, and ask for a new review.`
  const broken = operations.find(({ problem }) => problem !== undefined)
  if (broken) return `Fix ${broken.name} (${broken.problem}).`
  const elsewhere =
    status === 'draft' && splitter && operations.find(({ payment }) => payment?.payTo !== splitter.address)
  if (elsewhere) return `Set payTo of ${elsewhere.name} to ${splitter?.address} on ${splitter?.network}.`
  if (status === 'draft' && splitter && !splitter.deployed) return command('deploy', listing)
  if (status === 'draft') return command('activate', listing)
  if (status === 'suspended') return [suspendedReason, command('activate', listing)].filter(Boolean).join(' ')
  if (verification === 'none') return command('verify', listing)
  return verification === 'requested' ? 'Wait for the operator’s review.' : undefined
}

/** A command with a listing's slug, which nothing else may hide in. */
export const command = (verb: string, { slug }: Pick<ListingRecord, 'slug'>): string | undefined =>
  Slug.safeParse(slug).success ? `callboard sell ${verb} ${slug}` : undefined
