import type { listings, ProbeState } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { diagnosisOf, payableHere } from '../domain/diagnosis.ts'
import { probeOne } from '../probing/probe-all.ts'

/** States in which there is no answer to show. */
const UNREADABLE: ReadonlySet<ProbeState> = new Set([
  'dns',
  'timeout',
  'tls',
  'unreachable',
  'too_large',
  'server_error',
])

export const probe: ListingsHandler<typeof listings.probe> = async (endpoint, ctx) => {
  const report = await probeOne(ctx, endpoint)
  if (isRefusal(report)) return report
  const { state, result } = report
  const diagnosis = diagnosisOf(report, payableHere(ctx.resources.chains), ctx.config.BASE_URL)
  const { message, ...details } = diagnosis
  if (state === 'refused_target') return refuse('invalid_request', { field: 'url', message, details })
  if (UNREADABLE.has(state) || !result) return refuse('endpoint_unreachable', { message, details })
  return { ...result, ...diagnosis }
}
