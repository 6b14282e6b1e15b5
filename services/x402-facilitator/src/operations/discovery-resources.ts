import type { x402Facilitator } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { FacilitatorHandler } from '../kit.ts'
import { listResources } from '../store/resource.repository.ts'

export const discoveryResources: FacilitatorHandler<typeof x402Facilitator.discoveryResources> = async (
  filter,
  ctx,
) => {
  const { rows, total } = await listResources(ctx.db, filter)
  return {
    x402Version: 2,
    items: rows.map((row) => ({
      resource: row.resource,
      type: row.type,
      x402Version: row.x402_version,
      accepts: row.accepts,
      lastUpdated: isoTime(row.last_updated_at.getTime()),
      ...(row.description === null ? {} : { description: row.description }),
      ...(row.mime_type === null ? {} : { mimeType: row.mime_type }),
      ...(row.service_name === null ? {} : { serviceName: row.service_name }),
      ...(row.extensions === null ? {} : { extensions: row.extensions }),
    })),
    pagination: { limit: filter.limit, offset: filter.offset, total },
  }
}
