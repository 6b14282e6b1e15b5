import type { listings, RecheckOutcome } from '@callboard/contract'
import { isoTime, isRefusal, refuse } from '@callboard/values'
import { changeListing } from '../change-listing.ts'
import type { ListingsHandler } from '../context.ts'
import { type Problem, unpaid } from '../domain/diagnosis.ts'
import type { Listing } from '../domain/listing.ts'
import { refreshAll } from '../domain/refresh.ts'
import { probeAll } from '../probing/probe-all.ts'
import { saveReading } from '../probing/save-reading.ts'
import { findListing, lockBySlug } from '../store/listing.repository.ts'
import { findMirrored } from '../store/mirror.repository.ts'
import { suspend } from '../suspend.ts'
import { termsOf } from '../terms.ts'

/**
 * Any caller may ask, and the result is a check like any other: the prober records and publishes it. A listing that was
 * never listed is unknown to the public; an offline one is reported as such, and not probed.
 */
export const resync: ListingsHandler<typeof listings.resync> = async ({ slug }, ctx) => {
  const seen = await findListing(ctx.db, slug)
  if (!seen && (await findMirrored(ctx.db, slug))) return refuse('mirrored')
  if (!seen || seen.listedAt === null) return refuse('not_found')
  if (seen.status !== 'live') return answer(offline(seen), ctx.clock.now(), [])

  const probed = await probeAll(ctx, seen.operations, { slug })
  if (isRefusal(probed)) return probed
  const terms = termsOf(seen, ctx.resources.chains)
  const outcome = await ctx.db.transaction().execute(async (tx): Promise<RecheckOutcome> => {
    const locked = await lockBySlug(tx, slug)
    if (locked?.status !== 'live') return offline(locked ?? seen)
    const { listing, changed, avoids } = refreshAll(locked, probed, terms)
    if (avoids !== undefined) {
      await suspend(ctx, tx, { ...locked, ...listing }, avoids)
      return 'suspended'
    }
    if (changed) await changeListing(ctx, tx, locked, listing)
    else await saveReading(tx, locked, listing)
    const isPayable = listing.operations.every(({ payment }) => payment !== null)
    return isPayable && probed.every(({ report }) => report.state === 'ok_402') ? 'refreshed' : 'failed'
  })
  return answer(outcome, ctx.clock.now(), unpaid(probed, terms, ctx.config.BASE_URL))
}

const offline = ({ status }: Listing): RecheckOutcome => (status === 'suspended' ? 'suspended' : 'not_live')

const answer = (outcome: RecheckOutcome, now: number, problems: Problem[]) => ({
  ok: outcome === 'refreshed',
  outcome,
  checkedAt: isoTime(now),
  problems,
})
