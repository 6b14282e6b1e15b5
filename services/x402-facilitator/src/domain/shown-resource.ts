import type { DiscoveredResource, ShownOffer } from '@callboard/contract'
import { isoTime } from '@callboard/values'

/** A listed resource as it is stored. */
export interface ListedResource {
  readonly resource: string | null
  readonly type: 'http' | 'mcp' | null
  readonly x402_version: number | null
  readonly accepts: readonly ShownOffer[] | null
  readonly offered_at: Date | null
  readonly description: string | null
  readonly mime_type: string | null
  readonly service_name: string | null
  readonly tags: readonly string[] | null
  readonly icon_url: string | null
  readonly extensions: Record<string, unknown> | null
}

/**
 * A listed resource as the bazaar shows it.
 * @throws Error if no offer of it was read: such a resource is never listed
 */
export function shownResource(row: ListedResource): DiscoveredResource {
  const { resource, type, x402_version, accepts, offered_at } = row
  if (resource === null || type === null || x402_version === null || !accepts || !offered_at)
    throw new Error('a resource is listed of which no offer was read')
  return {
    resource,
    type,
    x402Version: x402_version,
    // Our verdicts on what can be paid are not part of the protocol.
    accepts: accepts.map(({ payable: _, notPayableReason: __, ...entry }) => entry),
    lastUpdated: isoTime(offered_at.getTime()),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.mime_type === null ? {} : { mimeType: row.mime_type }),
    ...(row.service_name === null ? {} : { serviceName: row.service_name }),
    ...(row.tags === null ? {} : { tags: [...row.tags] }),
    ...(row.icon_url === null ? {} : { iconUrl: row.icon_url }),
    ...(row.extensions === null ? {} : { extensions: row.extensions }),
  }
}
