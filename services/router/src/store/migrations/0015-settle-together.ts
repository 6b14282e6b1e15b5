import { type Kysely, sql } from 'kysely'

/** Settlements of a batch write each table once: docs/adr/0147. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSubjects(db)
  await createSettleTogether(db)
  await replaceSettlements(db)
  // A call alone is settled by this function itself, whose plans stay with their connection as well.
  await sql`
    alter function settle_call(text, bigint, text, boolean, text, timestamptz, integer, integer, integer, integer, integer)
    set enable_seqscan = off`.execute(db)
}

/** The budgets that a call is charged to. A single expression is inlined into the calling statement. */
async function createSubjects(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function call_subjects(of_call call) returns text[] language sql immutable as $$
      select array_remove(array['key:' || of_call.key_id,
        case of_call.source when 'compute' then 'owner:' || of_call.owner end,
        case of_call.source when 'compute' then 'link:' || of_call.link_id end], null) $$`.execute(db)
}

/**
 * Settles calls whose rows are locked, in the order in which they were asked, as settle_call does one by one. Only
 * receipts depend on that order; everything else is a sum. Each statement also names its rows by an array: a plan that
 * joins a list with a table may read the whole table, and stays while it grows.
 * @returns what settle_call returns, of each call with its place among those that were asked
 */
async function createSettleTogether(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function settle_together(
      dues call_to_settle[], out place integer, out was text, out amount bigint, out facts text, out seq bigint, out previous bytea
    ) returns setof record language plpgsql
    set search_path from current set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
    #variable_conflict use_column
    declare
      ids text[] := array(select asked_call from unnest(dues));
      keys text[] := array(select key_id from call where call_id = any(ids));
      one record;
      due call%rowtype;
      of_key text;
      last_seq bigint;
      last_hash bytea;
      ended_ids text[] := '{}';
      settled call[] := '{}';
    begin
      for one in
        select asked.*, taken, last.seq as last_seq, last.hash as last_hash
        from unnest(dues) as asked join call as taken on taken.call_id = asked.asked_call and taken.call_id = any(ids)
        left join receipt_chain as last on last.key_id = taken.key_id and last.key_id = any(keys)
        order by taken.key_id, asked.place
      loop
        due := one.taken;
        if of_key is distinct from due.key_id then
          of_key := due.key_id; last_seq := one.last_seq; last_hash := one.last_hash;
        end if;
        place := one.place; amount := due.amount_nano; facts := null; seq := null; previous := null;
        was := case when due.call_id = any(ended_ids) then 'settled' else due.state end;
        if was = 'held' and one.cost <= amount then
          due.cost_nano := one.cost; due.ending := one.of_ending; due.estimated := one.is_estimated;
          due.upstream := one.of_upstream; due.settled_at := one.at; due.input_tokens := one.input;
          due.output_tokens := one.output; due.cache_read_tokens := one.cache_read;
          due.cache_write_tokens := one.cache_write; due.reasoning_tokens := one.reasoning;
          facts := receipt_facts(due); seq := coalesce(last_seq, 0) + 1; previous := last_hash;
          last_seq := seq; last_hash := receipt_hash(facts, seq, previous);
          due.receipt_seq := seq; due.receipt_previous := previous; due.receipt_hash := last_hash;
          ended_ids := ended_ids || due.call_id; settled := settled || due;
        end if;
        return next;
      end loop;

      update router_key
      set under_way = greatest(under_way - ended.calls, 0), paid_in_held_nano = paid_in_held_nano - ended.held,
          paid_in_spent_nano = paid_in_spent_nano + ended.spent
      from (select key_id, count(*)::integer as calls,
                   coalesce(sum(amount_nano) filter (where from_paid_in), 0)::bigint as held,
                   coalesce(sum(cost_nano) filter (where from_paid_in), 0)::bigint as spent
            from unnest(settled) group by key_id) as ended
      where id = ended.key_id and id = any(keys);
      update balance set held_nano = held_nano - ended.held, spent_nano = spent_nano + ended.spent
      from (select owner as of_owner, sum(amount_nano)::bigint as held, sum(cost_nano)::bigint as spent
            from unnest(settled) where source = 'balance' group by owner) as ended
      where owner = of_owner and owner = any(array(select owner from unnest(settled)));
      update budget set held_nano = held_nano - ended.held, spent_nano = spent_nano + ended.spent
      from (select level, day as of_day, sum(amount_nano)::bigint as held, sum(cost_nano)::bigint as spent
            from unnest(settled) as ended cross join lateral unnest(call_subjects(ended)) as level
            group by level, day) as ended
      where subject = level and day = of_day
        and subject = any(array(select unnest(call_subjects(any_call)) from unnest(settled) as any_call));

      insert into receipt_chain (key_id, seq, previous, hash, facts)
      select distinct on (key_id) key_id, receipt_seq, receipt_previous, receipt_hash, receipt_facts(ended)
      from unnest(settled) as ended order by key_id, receipt_seq desc
      on conflict (key_id) do update
      set seq = excluded.seq, previous = excluded.previous, hash = excluded.hash, facts = excluded.facts;
      update call
      set state = 'settled', cost_nano = ended.cost_nano, upstream = ended.upstream, estimated = ended.estimated,
          ending = ended.ending, settled_at = ended.settled_at, input_tokens = ended.input_tokens,
          output_tokens = ended.output_tokens, cache_read_tokens = ended.cache_read_tokens,
          cache_write_tokens = ended.cache_write_tokens, reasoning_tokens = ended.reasoning_tokens,
          receipt_seq = ended.receipt_seq, receipt_previous = ended.receipt_previous, receipt_hash = ended.receipt_hash
      from unnest(settled) as ended where call.call_id = ended.call_id and call.call_id = any(ended_ids);
      with usage as (
        select 'call:' || call_id as reference, 'owner:' || owner as account_id, cost_nano, settled_at
        from unnest(settled) where source = 'balance' and cost_nano > 0
      ), transfer as (
        insert into ledger_transfer (kind, reference, created_at)
        select 'usage', reference, settled_at from usage returning id, reference
      )
      insert into ledger_entry (transfer_id, account_id, amount_nano)
      select transfer.id, side.account_id, side.amount_nano
      from transfer join usage using (reference)
      cross join lateral (values (usage.account_id, - cost_nano), ('usage', cost_nano)) as side (account_id, amount_nano);
    end $$`.execute(db)
}

/** The same, except that six or more are settled together; of fewer, each alone costs less. */
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
      if cardinality(dues) >= 6 then
        return query select ended.* from settle_together(dues) as ended;
        return;
      end if;
      foreach one in array dues loop
        return query
          select one.place, ended.*
          from settle_call(one.asked_call, one.cost, one.of_ending, one.is_estimated, one.of_upstream, one.at,
            one.input, one.output, one.cache_read, one.cache_write, one.reasoning) as ended;
      end loop;
    end $$`.execute(db)
}
