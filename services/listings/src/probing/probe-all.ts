import {
  type EndpointSample,
  type HttpMethod,
  livenessProber,
  type ProbeReport,
  type ProbeState,
} from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { ListingsCallingContext } from '../context.ts'
import type { Probed } from '../domain/evidence.ts'

/** How many origins of one listing are probed at once; each gets one probe at a time. */
const AT_ONCE = 8
/** States that concern the whole origin: its other endpoints would give the same, and take as long. */
const OF_THE_ORIGIN: ReadonlySet<ProbeState> = new Set(['dns', 'tls', 'timeout', 'unreachable', 'refused_target'])

interface Endpoint {
  readonly method: HttpMethod
  readonly url: string
  readonly inputSchema?: Record<string, unknown> | undefined
  readonly sample?: EndpointSample | undefined
}

interface Purpose<Operation> {
  /** The live listing whose checks these are; absent: no listing's. */
  readonly slug?: string
  /** Whether one result decides about all: then no further probes are begun. */
  readonly decides?: (probed: Probed<Operation>) => boolean
}

/**
 * Probes endpoints, each with its declared method.
 * @returns each that was probed with its report, in the given order
 * @refuses rate_limited if too many probes of one’s site or origin are under way; further ones are not begun
 */
export async function probeAll<Operation extends Endpoint>(
  ctx: ListingsCallingContext,
  operations: readonly Operation[],
  { slug, decides = () => false }: Purpose<Operation> = {},
) {
  const reports = new Map<Operation, ProbeReport>()
  let refused: Refusal<'rate_limited'> | undefined
  let isDecided = false
  const origins = Map.groupBy(operations, ({ url }) => new URL(url).origin).values()
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (const ofOneOrigin of origins) {
      let unavailable: ProbeReport | undefined
      for (const operation of ofOneOrigin) {
        if (refused || isDecided) return
        const report = unavailable ?? (await probeOne(ctx, operation, slug))
        if (isRefusal(report)) {
          refused = report
          return
        }
        reports.set(operation, report)
        isDecided ||= decides({ operation, report })
        if (OF_THE_ORIGIN.has(report.state)) unavailable = report
      }
    }
  })
  await Promise.all(lanes)
  if (refused) return refused
  return operations.flatMap((operation) => {
    const report = reports.get(operation)
    return report ? [{ operation, report }] : []
  })
}

/**
 * @refuses rate_limited if too many probes of the endpoint’s site or origin are under way
 * @throws BusFault if the prober is unavailable
 */
export async function probeOne(
  ctx: ListingsCallingContext,
  endpoint: Partial<Endpoint> & { url: string },
  slug?: string,
): Promise<ProbeReport | Refusal<'rate_limited'>> {
  const { method, url, inputSchema, sample } = endpoint
  return ctx.resources.probes.run(url, () => ctx.call(livenessProber.probe, { method, url, inputSchema, sample, slug }))
}
