import type { resourceProbed } from '@callboard/contract'
import type { EventConsumer } from '@callboard/runtime'
import type { FacilitatorContext } from '../context.ts'
import { afterProbe, nextDue } from '../domain/listing-verdict.ts'
import {
  forgetTerms,
  heldAgainstSettled,
  lockResource,
  saveListing,
  saveOffer,
  saveProbe,
} from '../store/resource-listing.repository.ts'
import type { FacilitatorTables } from '../store/tables.ts'

/**
 * Compares what a probe read with what was settled, and lists the resource or ends its listing. A result of any request
 * but the newest is ignored.
 */
export const onResourceProbed: EventConsumer<typeof resourceProbed, FacilitatorContext, FacilitatorTables> = async (
  { url, probeId, state, checkedAt, offer },
  { tx, clock, config },
) => {
  const seen = await lockResource(tx, url)
  if (!seen || seen.probe_id !== probeId) return
  const probedAt = new Date(checkedAt)
  await saveProbe(tx, url, state, probedAt)
  if (offer) await saveOffer(tx, url, offer, probedAt)
  const held = await heldAgainstSettled(tx, url, config.DISCOVERY_PER_SITE)
  const before = { isListed: seen.is_listed, unlistedBecause: seen.unlisted_because, failedProbes: seen.failed_probes }
  const listing = afterProbe(before, { state, offers: offer !== null, ...held })
  if (offer && seen.asked_at) await forgetTerms(tx, url, seen.asked_at)
  const now = clock.now()
  const due = nextDue(listing, state, now, config.DISCOVERY_PROBE_INTERVAL_MS)
  await saveListing(tx, url, listing, { now: new Date(now), dueAt: due === null ? null : new Date(due) })
}
