import { type Kysely, sql } from 'kysely'

/** Locks a batch's rows in a few statements whose plans use indexes, whatever the table was like at planning time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceBalanceCheck(db)
  await replaceTakeRows(db)
  await replaceReceiptFacts(db)
  await replaceSettlements(db)
}

/** The same check of the same rows, without making JSON of them to find the transfer. */
async function replaceBalanceCheck(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function refuse_unbalanced_transfer() returns trigger language plpgsql set search_path from current as $$
    declare
      transfer bigint;
      total numeric;
    begin
      if tg_table_name = 'ledger_entry' then transfer := new.transfer_id; else transfer := new.id; end if;
      select sum(amount_nano) into total from ledger_entry where transfer_id = transfer;
      if total is distinct from 0 then
        raise exception 'ledger transfer % sums to %', transfer, coalesce(total::text, 'nothing')
          using errcode = 'check_violation';
      end if;
      return null;
    end $$`.execute(db)
}

/**
 * Locks the rows of a batch in the same order as before, with one statement per table. Missing budgets are created in
 * that order, one by one: if they were created before the others, someone who holds those could wait for them.
 */
async function replaceTakeRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function take_rows(keys text[], balances text[], links text[], compute_owners text[], on_day date) returns void
    language plpgsql set search_path from current set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
    declare
      wanted text[] := array(select 'owner:' || id from unnest(compute_owners) as id where id is not null
                             union select 'key:' || id from unnest(keys) as id);
      of_links text[] := array(select 'link:' || id from unnest(links) as id where id is not null);
      one text;
    begin
      perform from router_key where id = any(keys) order by id collate "C" for no key update;
      if balances is not null then
        perform from balance where owner = any(balances) order by owner collate "C" for no key update;
      end if;
      if (select count(*) from budget where subject = any(wanted)) = cardinality(wanted) then
        perform from budget where subject = any(wanted || of_links)
        order by strpos('olk', left(subject, 1)), subject collate "C" for no key update;
        return;
      end if;
      for one in select distinct id collate "C" from unnest(compute_owners) as id where id is not null order by 1 loop
        perform lock_budget('owner', one, on_day);
      end loop;
      for one in select distinct id collate "C" from unnest(links) as id where id is not null order by 1 loop
        perform lock_budget('link', one, on_day);
      end loop;
      for one in select distinct id collate "C" from unnest(keys) as id order by 1 loop
        perform lock_budget('key', one, on_day);
      end loop;
    end $$`.execute(db)
}

/** The same text as before. A single expression without a query is inlined into the calling statement. */
async function replaceReceiptFacts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function receipt_facts(settled call) returns text language sql stable as $$
      select '{"id":' || to_json(settled.call_id) || ',"key":' || to_json(settled.key_id) || ',"model":' || to_json(settled.model)
        || ',"upstream":' || coalesce(to_json(settled.upstream)::text, 'null') || ',"surface":' || to_json(settled.surface)
        || ',"source":' || to_json(settled.source)
        || ',"usage":' || case when settled.input_tokens is null then 'null' else
             '{"inputTokens":' || settled.input_tokens || ',"outputTokens":' || coalesce(settled.output_tokens::text, 'null')
             || ',"cacheReadTokens":' || coalesce(settled.cache_read_tokens::text, 'null')
             || ',"cacheWriteTokens":' || coalesce(settled.cache_write_tokens::text, 'null')
             || ',"reasoningTokens":' || coalesce(settled.reasoning_tokens::text, 'null') || '}' end
        || ',"estimated":' || settled.estimated || ',"ending":' || to_json(settled.ending)
        || ',"priceVersion":' || to_json(settled.price_version) || ',"heldUsd":"' || usd_text(settled.amount_nano)
        || '","amountUsd":"' || usd_text(settled.cost_nano) || '","currency":"USD","createdAt":"' || iso_time(settled.created_at)
        || '","settledAt":"' || iso_time(settled.settled_at) || '"}' $$`.execute(db)
}

/**
 * The same, except that its plan does not read all of `call`: a plan made while the table was small stayed with its
 * connection as the table grew.
 */
async function replaceSettlements(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function settle_calls(
      asked json, out place integer, out was text, out amount bigint, out facts text, out seq bigint, out previous bytea
    ) returns setof record language plpgsql
    set search_path from current set lock_timeout = '100ms' set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
    declare
      dues call_to_settle[] := array(select one from json_populate_recordset(null::call_to_settle, asked) as one);
      ids text[] := array(select asked_call from unnest(dues));
      one call_to_settle;
    begin
      if cardinality(dues) > 1 then
        perform from call where call_id = any(ids) order by call_id collate "C" for no key update;
        perform take_rows(
          array_agg(key_id),
          array_agg(owner) filter (where source = 'balance'),
          array_agg(link_id) filter (where source = 'compute'),
          array_agg(owner) filter (where source = 'compute'),
          max(day))
        from call where call_id = any(ids) and state = 'held' having count(*) > 0;
      end if;
      foreach one in array dues loop
        return query
          select one.place, ended.*
          from settle_call(one.asked_call, one.cost, one.of_ending, one.is_estimated, one.of_upstream, one.at,
            one.input, one.output, one.cache_read, one.cache_write, one.reasoning) as ended;
      end loop;
    end $$`.execute(db)
}
