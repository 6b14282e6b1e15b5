import { type Kysely, sql } from 'kysely'

/**
 * An agent's key shares its limit of concurrent calls with the keys that it replaced, or renewing it would start as
 * many calls again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createUnderWayBefore(db)
  await replaceHold(db)
}

/**
 * The calls under way of the keys that a link's key replaced. No call lasts longer than eleven minutes, and an ended key
 * gets no new one.
 */
async function createUnderWayBefore(db: Kysely<unknown>): Promise<void> {
  await sql`create index router_key_ended_of_link on router_key (link_id, ended_at)`.execute(db)
  await sql`drop index router_key_by_link`.execute(db)
  await sql`
    create function under_way_before(holder router_key, at timestamptz) returns bigint
    language plpgsql set search_path from current set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
    begin
      return (select coalesce(sum(under_way), 0) from router_key
              where link_id = holder.link_id and source = holder.source and ended_at > at - interval '11 minutes');
    end $$`.execute(db)
}

/** The same as before, apart from the calls that count. */
async function replaceHold(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function hold_call(
      key_hash bytea, asked_call text, least_nano bigint, most_nano bigint, limit_without_stake bigint, on_day date,
      of_paid_in boolean, concurrency integer, of_model text, of_price text, of_surface text, at timestamptz, expiry timestamptz,
      out holder router_key, out paid_by text, out held bigint, out state call_level
    ) returns setof record language plpgsql set search_path from current as $$
    declare
      levels call_level[] := '{}';
      today date := on_day;
      room bigint;
      busy bigint;
    begin
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
        insert into call (call_id, key_id, owner, link_id, source, day, amount_nano, from_paid_in, model, price_version,
                          surface, created_at, expires_at, state)
        values (asked_call, holder.id, holder.owner, holder.link_id, paid_by, today, held, of_paid_in, of_model, of_price,
                of_surface, at, expiry, 'held');
      end if;
      foreach state in array levels loop return next; end loop;
    end $$`.execute(db)
}
