import { probeRequested } from '@callboard/contract'
import { schemaOf, whenWoken } from '@callboard/runtime'
import { HOUR_MS, isoTime, MINUTE_MS } from '@callboard/values'
import type { FacilitatorContext } from '../context.ts'
import { afterProbe } from '../domain/listing-verdict.ts'
import { withinSums } from '../domain/probe-sums.ts'
import {
  askedSince,
  type DueResource,
  firstDueAt,
  lockDue,
  noteAsked,
  postponeResources,
  takeQueue,
} from '../store/probe-queue.repository.ts'
import { heldAgainstSettled, saveListing } from '../store/resource-listing.repository.ts'
import { resourcesDueChannel } from '../store/settled-resource.repository.ts'
import type { FacilitatorTx } from '../store/tables.ts'

const AT_ONCE = 100
/** When a probe beyond the hourly quotas is tried again. */
const POSTPONED_MS = MINUTE_MS

/** Requests the probes of resources that are due, within the hourly quotas. */
export const queueProbes = whenWoken<FacilitatorContext>(
  'queue-probes',
  ({ name, config }) => ({
    channels: [resourcesDueChannel(schemaOf(name))],
    pollMs: config.DISCOVERY_POLL_MS,
    sweepMs: MINUTE_MS,
  }),
  (ctx) =>
    ctx.db.transaction().execute(async (tx) => {
      if (!(await takeQueue(tx))) return 0
      const now = ctx.clock.now()
      const due = await lockDue(tx, new Date(now), AT_ONCE)
      const [readJustNow, toAsk] = [due.filter((one) => isFresh(ctx, one)), due.filter((one) => !isFresh(ctx, one))]
      for (const resource of readJustNow) await judge(ctx, tx, resource)
      await ask(ctx, tx, toAsk)
      const next = await firstDueAt(tx)
      return next && Math.max(0, next.getTime() - now)
    }),
)

/** Whether an unlisted resource's offer was read within the last interval, so that new terms need no further probe. */
const isFresh = ({ clock, config }: FacilitatorContext, { isListed, state, offeredAt }: DueResource): boolean =>
  !isListed &&
  state === 'ok_402' &&
  offeredAt !== null &&
  offeredAt.getTime() > clock.now() - config.DISCOVERY_PROBE_INTERVAL_MS

/** Compares an offer that was read earlier with terms that were settled since. */
async function judge(ctx: FacilitatorContext, tx: FacilitatorTx, { url, askedAt }: DueResource): Promise<void> {
  const now = ctx.clock.now()
  const before = { isListed: false, unlistedBecause: null, failedProbes: 0 }
  const held = await heldAgainstSettled(tx, url, ctx.config.DISCOVERY_PER_SITE)
  const listing = afterProbe(before, { state: 'ok_402', offers: true, ...held })
  const dueAt = new Date((askedAt?.getTime() ?? now) + ctx.config.DISCOVERY_PROBE_INTERVAL_MS)
  await saveListing(tx, url, listing, { now: new Date(now), dueAt })
}

async function ask(ctx: FacilitatorContext, tx: FacilitatorTx, due: readonly DueResource[]): Promise<void> {
  if (due.length === 0) return
  const { DISCOVERY_PROBES_PER_HOUR: inAll, DISCOVERY_PROBES_PER_NAME: ofOne } = ctx.config
  const now = ctx.clock.now()
  const sums = { inAll, perSite: ofOne, perPayee: ofOne }
  const granted = withinSums(due, await askedSince(tx, new Date(now - HOUR_MS)), sums)
  const asked = granted.map(({ probe: { url, origin, site }, payTo }) => ({
    url,
    origin,
    site,
    payTo,
    probeId: ctx.newId(),
  }))
  await noteAsked(tx, asked, { now: new Date(now), intervalMs: ctx.config.DISCOVERY_PROBE_INTERVAL_MS })
  const requestedAt = isoTime(now)
  await ctx.publishAll(
    tx,
    probeRequested,
    asked.map(({ url, probeId }) => ({ url, probeId, requestedAt })),
  )
  const isAsked = new Set(asked.map(({ url }) => url))
  // Without terms no payee is known to have been paid there: the resource waits for a further payment.
  const [unpaid, waiting] = [
    due.filter(({ payees }) => payees.length === 0),
    due.filter((one) => one.payees.length > 0),
  ]
  const urls = (resources: readonly DueResource[]) => resources.map(({ url }) => url).filter((url) => !isAsked.has(url))
  await postponeResources(tx, urls(unpaid), null)
  await postponeResources(tx, urls(waiting), new Date(now + POSTPONED_MS))
}
