import { type Kysely, sql } from 'kysely'

/** Holds in one trip, in plain statements whose plans stay with the connection: docs/adr/0078. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createLevels(db)
  await createHold(db)
}

/**
 * A level of a call's key while its row is locked. The first call of an owner or a key creates its budget, which has no
 * limit; a link without a budget has the limit 0.
 */
async function createLevels(db: Kysely<unknown>): Promise<void> {
  await sql`
    create type call_level as (
      level text, subject text, limit_nano bigint, day date, spent_nano bigint, held_nano bigint
    )`.execute(db)
  await sql`
    create function lock_budget(of_level text, id text, on_day date) returns call_level
    language plpgsql set search_path from current as $$
    declare
      found_level call_level := row(of_level, of_level || ':' || id, null, on_day, 0, 0);
    begin
      loop
        select budget.limit_nano, budget.day, budget.spent_nano, budget.held_nano
        into found_level.limit_nano, found_level.day, found_level.spent_nano, found_level.held_nano
        from budget where budget.subject = found_level.subject for no key update;
        if found then return found_level; end if;
        if of_level = 'link' then return row(of_level, null, 0, on_day, 0, 0)::call_level; end if;
        insert into budget (subject, limit_nano, day, spent_nano, held_nano)
        values (of_level || ':' || id, null, on_day, 0, 0) on conflict do nothing;
      end loop;
    end $$`.execute(db)
}

/**
 * Locks rows in the order key, balance, budgets of owner, link and key, as all callers do, so that two calls never
 * deadlock. A day that is over counts as nothing spent, and a slow clock does not bring it back: the day is the latest
 * that a budget has.
 * @returns a row for each level, as it was before the hold; none for a key that is unknown or ended
 */
async function createHold(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function hold_call(
      key_hash bytea, asked_call text, least_nano bigint, most_nano bigint, limit_without_stake bigint, on_day date,
      of_paid_in boolean, concurrency integer, of_model text, of_price text, of_surface text, at timestamptz, expiry timestamptz,
      out holder router_key, out paid_by text, out held bigint, out state call_level
    ) returns setof record language plpgsql set search_path from current as $$
    declare
      levels call_level[] := '{}';
      today date := on_day;
      room bigint;
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

      if holder.under_way < concurrency and coalesce(room >= least_nano, true) then
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
