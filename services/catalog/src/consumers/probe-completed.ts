import type { probeCompleted } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { mergeChecks } from '../domain/check-summary.ts'
import { findCheck, saveCheck } from '../store/check.repository.ts'
import { keepLiveOffer } from '../store/entry/offer.repository.ts'
import { lockListing } from '../store/locks.ts'

/**
 * Takes liveness, freshness, conformance and the current offer of an endpoint from a check; prices and payees come from
 * the listing's own snapshots.
 */
export const onProbeCompleted: CatalogConsumer<typeof probeCompleted> = async (probe, { tx, envelope }) => {
  const { slug, url, method, state, verdict, liveness, conformance } = probe
  await lockListing(tx, slug)
  const checkedAt = new Date(probe.checkedAt)
  const okAt = verdict === 'up' ? checkedAt : null
  const seen = { method, url, checkedAt, sequence: envelope.sequence, state, okAt, liveness, conformance }
  await saveCheck(tx, slug, mergeChecks(await findCheck(tx, slug, method, url), seen))
  const { accepts } = probe
  if (accepts) await keepLiveOffer(tx, slug, { method, url, state, accepts, checkedAt, sequence: envelope.sequence })
}
