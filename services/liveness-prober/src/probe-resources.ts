import { resourceProbed } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { ProberContext } from './context.ts'
import { probedResource } from './domain/probed-resource.ts'
import { probeEndpoint } from './probe-endpoint.ts'
import { lockLease } from './store/origin.repository.ts'
import { endResourceProbe, type ResourceProbe } from './store/resource-probe.repository.ts'
import type { EndedBy, Visit } from './visit.ts'

/**
 * Probes resources named by settled payments, over the connection of the visit, and publishes each result. Their owners
 * asked for no probe: only GET and POST are sent, with the pauses for mirrored resources.
 */
export async function probeResources(
  ctx: ProberContext,
  { lease, origin, limits, unsolicited, signal, isOver }: Visit,
  asked: readonly ResourceProbe[],
): Promise<EndedBy> {
  for (const request of asked) {
    if (!(await unsolicited.turn(signal)) || signal.aborted) return
    const url = new URL(request.url)
    const probed = await probeEndpoint(ctx, origin, { url, unsolicited: true }, signal)
    unsolicited.ended()
    const checkedAt = ctx.clock.now()
    const isRecorded = await ctx.db.transaction().execute(async (tx) => {
      if (!(await lockLease(tx, lease)) || !(await endResourceProbe(tx, request))) return false
      await ctx.publish(tx, resourceProbed, {
        url: request.url,
        probeId: request.probe_id,
        state: probed.state,
        checkedAt: isoTime(checkedAt),
        offer: probedResource(url, probed) ?? null,
      })
      return true
    })
    if (isRecorded) ctx.resources.meters.resources.inc({ state: probed.state })
    if (limits.note(probed.state === 'rate_limited')) return 'rate_limited'
    if (isOver()) return 'time'
  }
}
