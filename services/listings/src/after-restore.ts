import { listingRemoved } from '@callboard/contract'
import type { AfterRestore } from '@callboard/runtime'
import { changeListing } from './change-listing.ts'
import type { ListingsContext } from './context.ts'
import { firstVersion } from './mirror/change-mirrored.ts'
import { lockEvenWithdrawn } from './store/listing.repository.ts'
import { raiseVersions, slugsOfAll } from './store/restore.repository.ts'

/** An owner may change a listing as fast as a limit allows: in a year no listing gains this many versions. */
const VERSIONS_APART = 1_000_000

/**
 * Publishes every listing in its current state, with a version above any of the lost time: services that were not
 * restored hold those, and take the highest as the newest. The operator must give verdicts of that time again.
 */
export async function afterRestore(ctx: ListingsContext, { dryRun }: AfterRestore): Promise<string[]> {
  const slugs = await slugsOfAll(ctx.db)
  if (dryRun) return [`${slugs.length} listings would be published as they stand`]
  for (const slug of slugs) {
    await ctx.db.transaction().execute(async (tx) => {
      const locked = await lockEvenWithdrawn(tx, slug)
      if (!locked) return
      const { version } = await changeListing(ctx, tx, { ...locked, version: locked.version + VERSIONS_APART }, {})
      // Its state alone, being newer than its removal, would bring a withdrawn listing back.
      if (locked.withdrawnAt !== null && locked.listedAt !== null)
        await ctx.publish(tx, listingRemoved, { slug, version })
    })
  }
  await raiseVersions(ctx.db, firstVersion(ctx.clock.now()))
  return [
    `${slugs.length} listings are published as they stand`,
    'verdicts and reviews of the lost time are lost: give them again, as npm run operator -- audit shows which are there',
  ]
}
