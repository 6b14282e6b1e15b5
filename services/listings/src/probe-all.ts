import { type HttpMethod, livenessProber, type ProbeReport } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { ListingsContext } from './kit.ts'

/** So many endpoints of one listing are probed at once. */
const AT_ONCE = 8

interface Endpoint {
  readonly method: HttpMethod
  readonly url: string
  readonly inputSchema?: Record<string, unknown> | undefined
}

/** Probes endpoints, each with its declared method. @returns each with its report, in the given order */
export async function probeAll<Operation extends Endpoint>(ctx: ListingsContext, operations: readonly Operation[]) {
  const probed: { readonly operation: Operation; readonly report: ProbeReport }[] = []
  for (let at = 0; at < operations.length; at += AT_ONCE) {
    const together = operations.slice(at, at + AT_ONCE)
    const reports = together.map(async (operation) => ({ operation, report: await probeOne(ctx, operation) }))
    probed.push(...(await Promise.all(reports)))
  }
  return probed
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
