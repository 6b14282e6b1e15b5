import { acceptsUnread, type DataOf, eventsOf, FINDINGS, probeCompleted } from '@callboard/contract'
import { changeListing } from '../change-listing.ts'
import type { ListingsBatchConsumer } from '../context.ts'
import { isCurrent, refresh } from '../domain/refresh.ts'
import { noteProbes } from '../mirror/note-probes.ts'
import { saveReading } from '../probing/save-reading.ts'
import { lockAll, lockBySlug, saveLiveness } from '../store/listing.repository.ts'
import { suspend } from '../suspend.ts'
import { termsOf } from '../terms.ts'

type Probe = DataOf<typeof probeCompleted>

/**
 * Handles the schedule's checks in batches, since an import of the mirror brings thousands. All rows are locked first,
 * in the order of their slugs and those of listings before mirrored ones: so what changes one of them, and then locks
 * its payee, cannot deadlock with a batch.
 */
export const onProbesCompleted: ListingsBatchConsumer = async (events, ctx) => {
  const probes = eventsOf(probeCompleted, events).map(({ data }) => data)
  const sorted = probes.toSorted((one, other) => (one.slug < other.slug ? -1 : one.slug > other.slug ? 1 : 0))
  const slugs = [...new Set(sorted.map(({ slug }) => slug))]
  const listed = await lockAll(ctx.tx, slugs)
  await noteProbes(
    ctx,
    ctx.tx,
    sorted.filter(({ slug }) => !listed.has(slug)),
  )
  for (const probe of sorted) if (listed.has(probe.slug)) await noteOfListing(probe, ctx)
}

/** Updates a live listing's liveness, offers and prices from a check, and may take it offline. */
async function noteOfListing(data: Probe, ctx: Parameters<ListingsBatchConsumer>[1]): Promise<void> {
  const { tx, resources, config } = ctx
  const locked = await lockBySlug(tx, data.slug)
  if (locked?.status !== 'live') return
  await saveLiveness(tx, data.slug, data.liveness, new Date(data.checkedAt))

  // It may arrive after its endpoint was replaced, or after its owner mended it and activated the listing.
  if (!isCurrent(locked, data)) return

  const patience = config.SUSPEND_AFTER_DOWN
  // Our own listings are not taken offline for our own outages: they show as down.
  const isOwn = locked.group === 'svc'
  if (!isOwn && patience > 0 && data.consecutiveDown >= patience) {
    const { method, url, consecutiveDown, state } = data
    await suspend(ctx, tx, locked, `${method} ${url}: ${consecutiveDown} checks in a row found it down (${state}).`)
    return
  }
  // For an endpoint that no longer charges, an older prober reports that it learnt nothing.
  const accepts = data.accepts ?? acceptsUnread(data.state)
  if (!accepts) return
  const words = data.finding && data.state !== 'ok_402' ? FINDINGS[data.finding] : undefined
  const found = words && `${words.message} ${words.mend}`
  const { listing, changed, avoids } = refresh(locked, { ...data, accepts, found }, termsOf(locked, resources.chains))
  if (avoids !== undefined && !isOwn) await suspend(ctx, tx, { ...locked, ...listing }, avoids)
  else if (changed) await changeListing(ctx, tx, locked, listing)
  else await saveReading(tx, locked, listing)
}
