import type { listings, ProbeState } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { ListingsHandler } from '../kit.ts'
import { probeOne } from '../probe-all.ts'

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
  const { state, result, message } = await probeOne(ctx, endpoint)
  if (state === 'refused_target') return refuse('invalid_request', { field: 'url', message })
  if (UNREADABLE.has(state) || !result) return refuse('endpoint_unreachable', { message, details: { state } })
  return result
}
