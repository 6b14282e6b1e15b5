import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import type { DiscoveredResource } from '../domain/discovered-resource.ts'
import type { FacilitatorDb, FacilitatorTx } from './tables.ts'

/**
 * Records a resource that was paid. It belongs to its payee: whoever pays himself under somebody else's URL makes a row
 * of his own and changes nobody's.
 */
export async function recordResource(
  tx: FacilitatorTx,
  payTo: Address,
  { resource, type, x402Version, accepts, ...told }: DiscoveredResource,
  now: Date,
): Promise<void> {
  const facts = {
    type,
    x402_version: x402Version,
    description: told.description ?? null,
    mime_type: told.mimeType ?? null,
    service_name: told.serviceName ?? null,
    extensions: told.extensions ? JSON.stringify(told.extensions) : null,
    last_updated_at: now,
  }
  await tx
    .insertInto('resource')
    .values({ ...facts, resource, pay_to: payTo, accepts: JSON.stringify([accepts]), first_seen_at: now })
    .onConflict((conflict) =>
      conflict.columns(['resource', 'pay_to']).doUpdateSet({
        ...facts,
        // One entry per network: the newest one that was paid there.
        accepts: sql<string>`jsonb_build_array(${JSON.stringify(accepts)}::jsonb) || coalesce((
          select jsonb_agg(entry) from jsonb_array_elements(resource.accepts) entry
          where entry->>'network' is distinct from ${String(accepts.network)}), '[]'::jsonb)`,
      }),
    )
    .execute()
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
