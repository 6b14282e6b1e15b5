import { type HttpMethod, livenessProber, type ProbeReport, type ProbeState } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { ListingsContext } from './kit.ts'

/** So many origins of one listing are probed at once; each sees one probe after the other. */
const AT_ONCE = 8
/** What the origin itself is like: its other endpoints would say the same, and take as long to say it. */
const OF_THE_ORIGIN: ReadonlySet<ProbeState> = new Set(['dns', 'tls', 'timeout', 'unreachable', 'refused_target'])

interface Endpoint {
  readonly method: HttpMethod
  readonly url: string
  readonly inputSchema?: Record<string, unknown> | undefined
}

/** Probes endpoints, each with its declared method. @returns each with its report, in the given order */
export async function probeAll<Operation extends Endpoint>(ctx: ListingsContext, operations: readonly Operation[]) {
  const reports = new Map<Operation, ProbeReport>()
  const origins = Map.groupBy(operations, ({ url }) => new URL(url).origin).values()
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (const ofOneOrigin of origins) {
      let away: ProbeReport | undefined
      for (const operation of ofOneOrigin) {
        const report = away ?? (await probeOne(ctx, operation))
        reports.set(operation, report)
        if (OF_THE_ORIGIN.has(report.state)) away = report
      }
    }
  })
  await Promise.all(lanes)
  return operations.flatMap((operation) => {
    const report = reports.get(operation)
    return report ? [{ operation, report }] : []
  })
}

/** @throws BusFault when the prober is away */
export async function probeOne(
  ctx: ListingsContext,
  endpoint: Partial<Endpoint> & { url: string },
): Promise<ProbeReport> {
  const { method, url, inputSchema } = endpoint
  const report = await ctx.call(livenessProber.probe, { method, url, inputSchema })
  if (isRefusal(report)) throw new Error('The prober refuses nothing')
  return report
}
