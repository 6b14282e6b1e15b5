import type { MirrorMethod } from '../domain/mirror/mirrored.ts'
import { mirrorSlugs } from '../domain/mirror/resource.ts'
import { lockSlug } from '../store/listing.repository.ts'
import { takenByListing, takenByMirror } from '../store/mirror.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

/** The slug of a new row, held until the commit: the first of its own that neither a listing nor another row has. */
export async function freeMirrorSlug(
  tx: ListingsTx,
  resource: { readonly method: MirrorMethod; readonly url: string },
  beside: readonly string[],
): Promise<string> {
  for (const slug of mirrorSlugs(resource)) {
    if (beside.includes(slug)) continue
    await lockSlug(tx, slug)
    const isTaken = (await takenByMirror(tx, [slug])).has(slug) || (await takenByListing(tx, [slug])).has(slug)
    if (!isTaken) return slug
  }
  throw new Error('mirrorSlugs ends')
}
