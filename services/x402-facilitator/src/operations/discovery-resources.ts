import type { x402Facilitator } from '@callboard/contract'
import type { FacilitatorHandler } from '../context.ts'
import { shownResource } from '../domain/shown-resource.ts'
import { listResources } from '../store/listed-resource.repository.ts'

export const discoveryResources: FacilitatorHandler<typeof x402Facilitator.discoveryResources> = async (page, ctx) => {
  const { rows, total } = await listResources(ctx.db, page)
  return {
    x402Version: 2,
    items: rows.map(shownResource),
    pagination: { limit: page.limit, offset: page.offset, total },
  }
}
