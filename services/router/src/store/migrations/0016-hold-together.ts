import { type Kysely, sql } from 'kysely'

/** The calls of a batch are recorded together, and its keys are found by their hashes: docs/adr/0147. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createHoldCost(db)
  await replaceHolds(db)
}

/**
 * What hold_call does, except that the call is recorded by the caller unless `is_recorded`, and that the day of the hold
 * is returned too. The previous release calls hold_call.
 */
async function createHoldCost(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function hold_cost(
      key_hash bytea, asked_call text, least_nano bigint, most_nano bigint, limit_without_stake bigint, on_day date,
      of_paid_in boolean, concurrency integer, of_model text, of_price text, of_surface text, at timestamptz, expiry timestamptz,
      is_recorded boolean, out holder router_key, out paid_by text, out held bigint, out state call_level, out today date
    ) returns setof record language plpgsql set search_path from current set enable_seqscan = off as $$
    declare
      levels call_level[] := '{}';
      room bigint;
      busy bigint;
    begin
      today := on_day;
      select router_key.* into holder from router_key where hash = key_hash and ended_at is null for no key update;
      if not found then return; end if;
      paid_by := case when of_paid_in then 'balance' else holder.source end;

      if paid_by = 'balance' then
        state := row('balance', null, 0, on_day, 0, 0)::call_level;
        select purchased_nano, spent_nano, held_nano into state.limit_nano, state.spent_nano, state.held_nano
        from balance where owner = holder.owner for no key update;
        if not found then state := row('balance', null, 0, on_day, 0, 0)::call_level; end if;
        levels := levels || state;
      else
        levels := levels || lock_budget('owner', holder.owner, on_day);
        if holder.link_id is not null then levels := levels || lock_budget('link', holder.link_id, on_day); end if;
      end if;
      levels := levels || lock_budget('key', holder.id, on_day);
      if of_paid_in then
        levels := levels || row('paid_in', null, holder.paid_in_nano, on_day, holder.paid_in_spent_nano,
                                holder.paid_in_held_nano)::call_level;
      end if;

      foreach state in array levels loop today := greatest(today, state.day); end loop;
      for place in 1 .. cardinality(levels) loop
        state := levels[place];
        if state.subject is not null and state.day < today then state.spent_nano := 0; state.held_nano := 0; end if;
        if state.level = 'owner' then
          state.limit_nano := coalesce((select limit_nano from compute_day where owner = holder.owner and day <= today
                                        order by day desc limit 1), limit_without_stake);
        end if;
        room := least(room, state.limit_nano - state.spent_nano - state.held_nano);
        levels[place] := state;
      end loop;

      busy := holder.under_way;
      if holder.link_id is not null then busy := busy + under_way_before(holder, at); end if;
      if busy < concurrency and coalesce(room >= least_nano, true) then
        held := least(most_nano, room);
        update router_key
        set under_way = under_way + 1, paid_in_held_nano = paid_in_held_nano + case when of_paid_in then held else 0 end,
            last_used_at = case when last_used_at > at - interval '1 minute' then last_used_at else at end
        where id = holder.id;
        if paid_by = 'balance' then
          update balance set held_nano = held_nano + held where owner = holder.owner;
        end if;
        foreach state in array levels loop
          continue when state.subject is null;
          update budget set day = today, spent_nano = state.spent_nano, held_nano = state.held_nano + held
          where subject = state.subject;
        end loop;
        if is_recorded then
          insert into call (call_id, key_id, owner, link_id, source, day, amount_nano, from_paid_in, model, price_version,
                            surface, created_at, expires_at, state)
          values (asked_call, holder.id, holder.owner, holder.link_id, paid_by, today, held, of_paid_in, of_model, of_price,
                  of_surface, at, expiry, 'held');
        end if;
      end if;
      foreach state in array levels loop return next; end loop;
    end $$`.execute(db)
}

/**
 * The same results as before. `offset 0` keeps the condition on `ended_at` away from the index of live keys: a plan that
 * was made while there were few keys read all of that index, and stayed while their number grew.
 */
async function replaceHolds(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function hold_calls(
      asked json, out place integer, out holder router_key, out paid_by text, out held bigint, out state call_level
    ) returns setof record language plpgsql
    set search_path from current set lock_timeout = '100ms' set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
    #variable_conflict use_column
    declare
      calls call_to_hold[] := array(select one from json_populate_recordset(null::call_to_hold, asked) as one);
      one call_to_hold;
      level record;
      due call%rowtype;
      dues call[] := '{}';
    begin
      if cardinality(calls) > 1 then
        perform take_rows(
          array_agg(id),
          array_agg(owner) filter (where of_paid_in or source = 'balance'),
          array_agg(link_id) filter (where not of_paid_in and source = 'compute'),
          array_agg(owner) filter (where not of_paid_in and source = 'compute'),
          max(on_day))
        from unnest(calls)
        cross join lateral (select * from router_key where hash = decode(key_hash, 'hex') offset 0) as by_hash
        where ended_at is null;
      end if;
      foreach one in array calls loop
        place := one.place; held := null;
        for level in
          select * from hold_cost(decode(one.key_hash, 'hex'), one.asked_call, one.least_nano, one.most_nano,
            one.limit_without_stake, one.on_day, one.of_paid_in, one.concurrency, one.of_model, one.of_price,
            one.of_surface, one.at, one.expiry, false)
        loop
          holder := level.holder; paid_by := level.paid_by; held := level.held; state := level.state;
          return next;
        end loop;
        continue when held is null;
        due.call_id := one.asked_call; due.key_id := holder.id; due.owner := holder.owner; due.link_id := holder.link_id;
        due.source := paid_by; due.day := level.today; due.amount_nano := held; due.from_paid_in := one.of_paid_in;
        due.model := one.of_model; due.price_version := one.of_price; due.surface := one.of_surface;
        due.created_at := one.at; due.expires_at := one.expiry;
        dues := dues || due;
      end loop;
      insert into call (call_id, key_id, owner, link_id, source, day, amount_nano, from_paid_in, model, price_version, surface,
                        created_at, expires_at, state)
      select call_id, key_id, owner, link_id, source, day, amount_nano, from_paid_in, model, price_version, surface, created_at,
             expires_at, 'held'
      from unnest(dues);
    end $$`.execute(db)
}
