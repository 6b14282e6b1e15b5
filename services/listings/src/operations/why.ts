import type { listings } from '@callboard/contract'
import { isoTime, isRefusal, refuse } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { readAt } from '../domain/refresh.ts'
import { publicStateOf } from '../visibility/public-state.ts'
import { visibilityOf } from '../visibility/visibility-of.ts'

/** Not bound to HTTP: only the operator's command reaches it. What the owner sees, and the details behind it. */
export const why: ListingsHandler<typeof listings.why> = async ({ slug, q }, ctx) => {
  const state = await publicStateOf(ctx.db, slug)
  if (!state) return refuse('not_found')
  const told = await visibilityOf(ctx, state, q)
  if (isRefusal(told)) return told
  const { snapshot, owner, takenDownFor, verdict, splitterDeployed } = state
  const { group, version, operations, payTo } = snapshot
  return {
    ...told.visibility,
    ...{ group, owner, version, takenDownFor, payTo, splitterDeployed },
    indexedVersion: told.indexedVersion,
    verdict: verdict && { kind: verdict.kind ?? 'rejected', at: isoTime(verdict.at), reason: verdict.reason },
    endpoints: operations.map((operation) => {
      const { method, url, price, payment, problem } = operation
      const watched = told.endpoints.find((one) => one.method === method && one.url === url)
      return {
        ...{ method, url, price, problem: problem ?? null, pays: payment?.payTo ?? null },
        readAt: readAt(operation) ?? null,
        probe: watched ?? null,
      }
    }),
  }
}
