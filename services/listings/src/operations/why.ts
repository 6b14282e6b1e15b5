import type { listings } from '@callboard/contract'
import { isoTime, isRefusal, refuse } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { standingOf } from '../standing/standing-of.ts'
import { visibilityOf } from '../standing/visibility-of.ts'

/** Not bound to HTTP: only the operator's command reaches it. What its owner is told, by the same rules, and what lies behind it. */
export const why: ListingsHandler<typeof listings.why> = async ({ slug, q }, ctx) => {
  const standing = await standingOf(ctx.db, slug)
  if (!standing) return refuse('not_found')
  const told = await visibilityOf(ctx, standing, q)
  if (isRefusal(told)) return told
  const { snapshot, owner, takenDownFor, verdict, splitterDeployed } = standing
  const { group, version, operations, payTo } = snapshot
  return {
    ...told.visibility,
    ...{ group, owner, version, takenDownFor, payTo, splitterDeployed },
    indexedVersion: told.indexedVersion,
    verdict: verdict && { kind: verdict.kind ?? 'rejected', at: isoTime(verdict.at), reason: verdict.reason },
    endpoints: operations.map(({ method, url, price, payment, problem }) => {
      const watched = told.endpoints.find((one) => one.method === method && one.url === url)
      return {
        ...{ method, url, price, problem: problem ?? null, pays: payment?.payTo ?? null },
        readAt: payment?.checkedAt ?? null,
        probe: watched ?? null,
      }
    }),
  }
}
