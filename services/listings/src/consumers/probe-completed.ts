import { acceptsUnread, FINDINGS, type probeCompleted } from '@callboard/contract'
import { changeListing } from '../change-listing.ts'
import type { ListingsConsumer } from '../context.ts'
import { refresh } from '../domain/refresh.ts'
import { noteProbe } from '../mirror/note-probe.ts'
import { lockBySlug, saveListing, saveLiveness } from '../store/listing.repository.ts'
import { suspend } from '../suspend.ts'
import { termsOf } from '../terms.ts'

/**
 * The schedule's checks keep a live listing's liveness, offers and prices fresh, and may take it offline. Of a mirrored row
 * they are all that is known.
 */
export const onProbeCompleted: ListingsConsumer<typeof probeCompleted> = async (data, ctx) => {
  const { tx, resources, config } = ctx
  const locked = await lockBySlug(tx, data.slug)
  if (!locked) return await noteProbe(ctx, tx, data)
  if (locked.status !== 'live') return
  await saveLiveness(tx, data.slug, data.liveness, new Date(data.checkedAt))

  const patience = config.SUSPEND_AFTER_DOWN
  // What is ours is not taken offline for an outage of ours: it shows as down.
  const isOwn = locked.group === 'svc'
  if (!isOwn && patience > 0 && data.consecutiveDown >= patience) {
    const { method, url, consecutiveDown, state } = data
    await suspend(ctx, tx, locked, `${method} ${url}: ${consecutiveDown} checks in a row found it down (${state}).`)
    return
  }
  // An older prober says of what charges no longer that it learnt nothing.
  const accepts = data.accepts ?? acceptsUnread(data.state)
  if (!accepts) return
  const words = data.finding && data.state !== 'ok_402' ? FINDINGS[data.finding] : undefined
  const found = words && `${words.message} ${words.mend}`
  const { listing, changed, avoids } = refresh(locked, { ...data, accepts, found }, termsOf(locked, resources.chains))
  if (avoids !== undefined && !isOwn) await suspend(ctx, tx, { ...locked, ...listing }, avoids)
  else if (changed) await changeListing(ctx, tx, locked, listing)
  else await saveListing(tx, { ...locked, ...listing })
}
