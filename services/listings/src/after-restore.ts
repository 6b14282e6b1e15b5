import type { AfterRestore } from '@callboard/runtime'
import { changeListing } from './change-listing.ts'
import type { ListingsContext } from './context.ts'
import { lockEvenWithdrawn } from './store/listing.repository.ts'
import { raiseVersions, slugsOfAll } from './store/restore.repository.ts'

/** So many versions no listing has in a time that a restore loses. */
const VERSIONS_APART = 1_000

/**
 * Publishes every listing as it stands, above each version that was published in the lost time: services that were not restored
 * hold those, and know the newest by its version. A verdict of the lost time is lost with it; the operator gives it again.
 */
export async function afterRestore(ctx: ListingsContext, { looks }: AfterRestore): Promise<string[]> {
  const slugs = await slugsOfAll(ctx.db)
  if (looks) return [`${slugs.length} listings would be published as they stand`]
  for (const slug of slugs) {
    await ctx.db.transaction().execute(async (tx) => {
      const locked = await lockEvenWithdrawn(tx, slug)
      if (locked) await changeListing(ctx, tx, { ...locked, version: locked.version + VERSIONS_APART }, {})
    })
  }
  await raiseVersions(ctx.db)
  return [
    `${slugs.length} listings are published as they stand`,
    'verdicts and reviews of the lost time are lost: give them again, as npm run operator -- audit shows which are there',
  ]
}
