import type { probeCompleted } from '@callboard/contract'
import { changeListing } from '../change-listing.ts'
import { refresh } from '../domain/refresh.ts'
import { transition } from '../domain/status.ts'
import type { ListingsConsumer } from '../kit.ts'
import { lockBySlug, saveListing, saveLiveness } from '../store/listing.repository.ts'
import { termsOf } from '../terms.ts'

/** The schedule's checks keep a live listing's liveness, offers and prices fresh, and may take it offline. */
export const onProbeCompleted: ListingsConsumer<typeof probeCompleted> = async (data, ctx) => {
  const { tx, parts, config } = ctx
  const locked = await lockBySlug(tx, data.slug)
  if (locked?.status !== 'live') return
  await saveLiveness(tx, data.slug, data.liveness, new Date(data.checkedAt))

  const patience = config.SUSPEND_AFTER_DOWN
  const suspended = patience > 0 && data.consecutiveDown >= patience ? transition(locked, 'suspend') : null
  if (suspended) {
    await changeListing(ctx, tx, locked, suspended)
    return
  }
  if (!data.accepts) return
  const { listing, changed } = refresh(locked, { ...data, accepts: data.accepts }, termsOf(locked, parts.chains))
  if (changed) await changeListing(ctx, tx, locked, listing)
  else await saveListing(tx, { ...locked, ...listing })
}
