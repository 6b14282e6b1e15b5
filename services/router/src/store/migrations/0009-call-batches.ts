import { type Kysely, sql } from 'kysely'

/**
 * Holds, and settlements, of concurrent calls in one transaction: docs/adr/0113. All rows of a batch are locked first,
 * kind by kind in the order in which a single call locks its own, and in a fixed order within each kind, so that no two
 * batches deadlock. A batch waits for a row of others no longer than a tenth of a second: then it fails, and each of
 * its calls is handled alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTakeRows(db)
  await createHolds(db)
  await createSettlements(db)
}

/** Locks the rows between a call’s key and its last receipt: keys, balances, budgets of owners, links and keys. */
async function createTakeRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function take_rows(keys text[], balances text[], links text[], compute_owners text[], on_day date) returns void
    language plpgsql set search_path from current as $$
    declare
      one text;
    begin
      perform from router_key where id = any(keys) order by id collate "C" for no key update;
      perform from balance where owner = any(balances) order by owner collate "C" for no key update;
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

/** @returns what hold_call returns, of each call with its place among those that were asked */
async function createHolds(db: Kysely<unknown>): Promise<void> {
  await sql`
    create type call_to_hold as (
      place integer, key_hash text, asked_call text, least_nano bigint, most_nano bigint, limit_without_stake bigint, on_day date,
      of_paid_in boolean, concurrency integer, of_model text, of_price text, of_surface text, at timestamptz, expiry timestamptz
    )`.execute(db)
  await sql`
    create function hold_calls(
      asked json, out place integer, out holder router_key, out paid_by text, out held bigint, out state call_level
    ) returns setof record language plpgsql set search_path from current set lock_timeout = '100ms' as $$
    declare
      one call_to_hold;
    begin
      if json_array_length(asked) > 1 then
        perform take_rows(
          array_agg(id),
          array_agg(owner) filter (where of_paid_in or source = 'balance'),
          array_agg(link_id) filter (where not of_paid_in and source = 'compute'),
          array_agg(owner) filter (where not of_paid_in and source = 'compute'),
          max(on_day))
        from json_populate_recordset(null::call_to_hold, asked) join router_key on hash = decode(key_hash, 'hex')
        where ended_at is null;
      end if;
      for one in select * from json_populate_recordset(null::call_to_hold, asked) loop
        return query
          select one.place, of_call.holder, of_call.paid_by, of_call.held, of_call.state
          from hold_call(decode(one.key_hash, 'hex'), one.asked_call, one.least_nano, one.most_nano, one.limit_without_stake,
            one.on_day, one.of_paid_in, one.concurrency, one.of_model, one.of_price, one.of_surface, one.at, one.expiry) as of_call;
      end loop;
    end $$`.execute(db)
}

/** @returns what settle_call returns, of each call with its place among those that were asked */
async function createSettlements(db: Kysely<unknown>): Promise<void> {
  await sql`
    create type call_to_settle as (
      place integer, asked_call text, cost bigint, of_ending text, is_estimated boolean, of_upstream text, at timestamptz,
      input integer, output integer, cache_read integer, cache_write integer, reasoning integer
    )`.execute(db)
  await sql`
    create function settle_calls(
      asked json, out place integer, out was text, out amount bigint, out facts text, out seq bigint, out previous bytea
    ) returns setof record language plpgsql set search_path from current set lock_timeout = '100ms' as $$
    declare
      one call_to_settle;
    begin
      if json_array_length(asked) > 1 then
        perform from call where call_id in (select asked_call from json_populate_recordset(null::call_to_settle, asked))
        order by call_id collate "C" for no key update;
        perform take_rows(
          array_agg(key_id),
          array_agg(owner) filter (where source = 'balance'),
          array_agg(link_id) filter (where source = 'compute'),
          array_agg(owner) filter (where source = 'compute'),
          max(day))
        from json_populate_recordset(null::call_to_settle, asked) join call on call_id = asked_call where call.state = 'held';
      end if;
      for one in select * from json_populate_recordset(null::call_to_settle, asked) loop
        return query
          select one.place, ended.*
          from settle_call(one.asked_call, one.cost, one.of_ending, one.is_estimated, one.of_upstream, one.at,
            one.input, one.output, one.cache_read, one.cache_write, one.reasoning) as ended;
      end loop;
    end $$`.execute(db)
}
