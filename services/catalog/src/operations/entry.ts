import { type catalog, MOST_SAME_PAYEE, Slug } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { CatalogContext, CatalogHandler } from '../context.ts'
import { entryOf } from '../domain/entry/catalogue-entry.ts'
import { offerChanges } from '../domain/entry/offer-changes.ts'
import { sevenDaysOf, windowOf } from '../domain/range.ts'
import { findPublished } from '../store/entry/entry.repository.ts'
import { liveOffersOf, offeredBy, versionsOffered } from '../store/entry/offer.repository.ts'
import { callsOf, samePayeeAs } from '../store/entry/seller.repository.ts'
import { ledgerPage } from '../store/ledger/ledger.repository.ts'
import { atOneMoment, type CatalogTx } from '../store/tables.ts'

const OFFER_CHANGES = 50
/** Versions to read for the changes: most change other parts of the listing. */
const VERSIONS = 400
const SETTLEMENTS = 10

export const entry: CatalogHandler<typeof catalog.entry> = async ({ serviceId: slug }, ctx) => {
  if (!Slug.safeParse(slug).success) return refuse('not_found')
  const now = ctx.clock.now()
  const week = await ctx.resources.weeks(slug, () => callsOf(ctx.db, slug, sevenDaysOf(now)))
  return atOneMoment(ctx.db, async (tx) => {
    const found = await findPublished(tx, slug)
    if (!found) return refuse('not_found')
    const settled = await ledgerPage(tx, { ...windowOf('30d', now), slug }, SETTLEMENTS)
    return entryOf(found.listed, found.schemas, {
      linkKey: ctx.config.LINK_SIGNING_KEY[0],
      liveOffers: await liveOffersOf(tx, slug, found.listed.snapshot.operations),
      week,
      offerChanges: await changesOf(ctx, tx, slug),
      recentSettlements: settled.map(({ item }) => item),
      samePayee: await samePayeeAs(tx, slug, MOST_SAME_PAYEE),
    })
  })
}

const changesOf = async ({ resources }: CatalogContext, tx: CatalogTx, slug: string) =>
  resources.offerChanges(slug, await versionsOffered(tx, slug, VERSIONS), async () =>
    offerChanges((await offeredBy(tx, slug, VERSIONS)).versions, OFFER_CHANGES),
  )
