import { noStatement, type Statement, statement } from '@callboard/store'
import type { Address, Caip2 } from '@callboard/values'
import { siteOf } from '@callboard/values/site'

/** What the chain proves about a paid resource: who was paid, in what. Only its URL is the payer's claim. */
export interface SettledTerms {
  /** Origin and path. */
  readonly url: string
  readonly network: Caip2
  readonly asset: Address
  readonly payTo: Address
}

/** The channel on which resources that may be due are announced. */
export const resourcesDueChannel = (schema: string): string => `resources_due_${schema}`

/** Limits on unprobed URLs: in total, and per site or payee. Beyond them, a further payment names the URL again. */
const MAX_UNPROBED = 10_000
const MAX_UNPROBED_OF_ONE = 120
/** Terms kept per URL in addition to those that its own offer asks for. */
const MAX_TERMS = 64

/**
 * Stores settled terms, and sets when their URLs are due: a new URL now; one whose offer was read within the last
 * interval now, to be compared with new terms; any other after the interval.
 * @returns what to send, in this order
 */
export function noteSettledTerms(
  settled: readonly SettledTerms[],
  { now, intervalMs }: { readonly now: Date; readonly intervalMs: number },
): Statement<unknown>[] {
  if (settled.length === 0) return []
  const named = JSON.stringify(
    settled.map((terms) => ({ ...terms, origin: new URL(terms.url).origin, site: siteOf(terms.url) })),
  )
  const resources = statement`
    insert into discovered_resource (url, origin, site, first_pay_to, first_settled_at, last_settled_at, due_at)
    select distinct on (url) url, origin, site, "payTo", ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${named}::json) as named (url text, origin text, site text, "payTo" text)
    where (select count(*) from (select from discovered_resource
             where probed_at is null limit ${MAX_UNPROBED}) waiting) < ${MAX_UNPROBED}
      and (select count(*) from (select from discovered_resource seen
             where seen.probed_at is null and coalesce(seen.site, seen.origin) = named.site
             limit ${MAX_UNPROBED_OF_ONE}) waiting) < ${MAX_UNPROBED_OF_ONE}
      and (select count(*) from (select from discovered_resource seen
             where seen.probed_at is null and seen.first_pay_to = named."payTo"
             limit ${MAX_UNPROBED_OF_ONE}) waiting) < ${MAX_UNPROBED_OF_ONE}
    order by url
    on conflict (url) do nothing`
  const terms = statement`
    insert into settled_terms (url, network, asset, pay_to, first_settled_at, last_settled_at)
    select distinct url, named.network, named.asset, named."payTo", ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${named}::json) as named (url text, network text, asset text, "payTo" text)
    join discovered_resource seen using (url)
    where (select count(*) from settled_terms kept where kept.url = named.url) < ${MAX_TERMS}
      or seen.accepts @> jsonb_build_array(
           jsonb_build_object('network', named.network, 'asset', named.asset, 'payTo', named."payTo"))
    order by 1, 2, 3, 4
    on conflict (url, network, asset, pay_to) do update set last_settled_at = excluded.last_settled_at`
  const due = statement`
    with due as (update discovered_resource set last_settled_at = ${now}, due_at = case
        when is_listed then due_at
        when offered_at > ${now}::timestamptz - ${intervalMs} * interval '1 millisecond' then least(due_at, ${now})
        else coalesce(due_at, greatest(${now}, asked_at + ${intervalMs} * interval '1 millisecond')) end
    where url in (select url from discovered_resource where url = any(${settled.map(({ url }) => url)})
                  order by url for no key update)
      returning 1)
    select pg_notify('resources_due_' || current_schema(), '') from (select 1 from due limit 1) one`
  return [resources, terms, due]
}

/**
 * Those of settled terms, each once, that no settlement of the last minute had: only they need be noted, so payments for
 * one resource do not wait for each other.
 */
export function unlessNotedJustNow(settled: readonly SettledTerms[], now: Date): Statement<readonly SettledTerms[]> {
  if (settled.length === 0) return noStatement([])
  return statement<SettledTerms>`
    select distinct url, network, asset, "payTo"
    from json_to_recordset(${JSON.stringify(settled)}::json) as named (url text, network text, asset text, "payTo" text)
    where not exists (
      select from settled_terms kept
      where kept.url = named.url and kept.network = named.network and kept.asset = named.asset
        and kept.pay_to = named."payTo" and kept.last_settled_at > ${now}::timestamptz - interval '1 minute')`.as(
    ({ rows }) => rows,
  )
}
