import type { MirrorMethod } from '../domain/mirror/mirrored.ts'
import { mirrorSlugs } from '../domain/mirror/resource.ts'
import { lockSlugs } from '../store/listing.repository.ts'
import { takenByListing, takenByMirror } from '../store/mirror.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

/**
 * The slugs of new rows, locked until the commit: for each the first candidate that neither a listing nor another row
 * has. The caller locks the mirror.
 */
export async function freeMirrorSlugs(
  tx: ListingsTx,
  resources: readonly { readonly method: MirrorMethod; readonly url: string }[],
): Promise<string[]> {
  const slugs: string[] = []
  const candidates = resources.map(mirrorSlugs)
  let wanting = candidates.map((_, at) => at)
  while (wanting.length > 0) {
    const next = wanting.map((at) => [at, candidates[at]?.next().value as string] as const)
    const wanted = next.map(([, slug]) => slug)
    await lockSlugs(tx, wanted)
    const taken = new Set([...(await takenByMirror(tx, wanted)), ...(await takenByListing(tx, wanted)), ...slugs])
    for (const [at, slug] of next) {
      if (taken.has(slug)) continue
      slugs[at] = slug
      taken.add(slug)
    }
    wanting = wanting.filter((at) => slugs[at] === undefined)
  }
  return slugs
}
