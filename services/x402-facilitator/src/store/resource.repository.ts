import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import type { DiscoveredResource } from '../domain/discovered-resource.ts'
import type { FacilitatorDb, FacilitatorTx } from './tables.ts'

/** A resource that somebody paid for, as his payment described it. */
export interface PaidResource {
  readonly payTo: Address
  readonly resource: DiscoveredResource
}

/**
 * Records resources of one network that were paid. A resource belongs to its payee: whoever pays himself under somebody
 * else's URL makes a row of his own and changes nobody's. Of several descriptions the last one stands.
 */
export async function recordResources(tx: FacilitatorTx, paid: readonly PaidResource[], now: Date): Promise<void> {
  const latest = new Map(paid.map((one) => [JSON.stringify([one.resource.resource, one.payTo]), one]))
  if (latest.size === 0) return
  const rows = [...latest.values()].map(({ payTo, resource: { resource, type, x402Version, accepts, ...told } }) => ({
    resource,
    pay_to: payTo,
    type,
    x402_version: x402Version,
    accepts: [accepts],
    description: told.description,
    mime_type: told.mimeType,
    service_name: told.serviceName,
    extensions: told.extensions,
  }))
  await sql`
    insert into resource (resource, pay_to, type, x402_version, accepts, description, mime_type, service_name, extensions,
      first_seen_at, last_updated_at)
    select paid.*, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as paid (resource text, pay_to text, type text,
      x402_version integer, accepts jsonb, description text, mime_type text, service_name text, extensions jsonb)
    order by resource, pay_to
    on conflict (resource, pay_to) do update set
      (type, x402_version, description, mime_type, service_name, extensions, last_updated_at) =
        (excluded.type, excluded.x402_version, excluded.description, excluded.mime_type, excluded.service_name,
         excluded.extensions, excluded.last_updated_at),
      -- One entry per network: the newest one that was paid there.
      accepts = excluded.accepts || coalesce((
        select jsonb_agg(entry) from jsonb_array_elements(resource.accepts) entry
        where entry->>'network' is distinct from excluded.accepts->0->>'network'), '[]'::jsonb)`.execute(tx)
}

export interface ResourceFilter {
  readonly type?: 'http' | 'mcp' | undefined
  readonly payTo?: Address | undefined
  readonly scheme?: string | undefined
  readonly network?: Caip2 | undefined
  /** Name of an extension that the resource carries. */
  readonly extensions?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** A page of resources, the newest first, and how many there are in all. */
export async function listResources(db: FacilitatorDb, filter: ResourceFilter) {
  const { type, payTo, scheme, network, extensions } = filter
  let matching = db.selectFrom('resource')
  if (type) matching = matching.where('type', '=', type)
  if (payTo) matching = matching.where('pay_to', '=', payTo)
  const entry = { ...(scheme ? { scheme } : {}), ...(network ? { network } : {}) }
  if (scheme || network) matching = matching.where(sql<boolean>`accepts @> ${JSON.stringify([entry])}::jsonb`)
  if (extensions) matching = matching.where(sql<boolean>`jsonb_exists(extensions, ${extensions})`)
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .orderBy('first_seen_at', 'desc')
      .orderBy('resource')
      .orderBy('pay_to')
      .limit(filter.limit)
      .offset(filter.offset)
      .execute(),
    matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}
