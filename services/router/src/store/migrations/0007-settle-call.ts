import { type Kysely, sql } from 'kysely'

/** Settlements in one trip, as holds are: docs/adr/0078. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createReceiptText(db)
  await createSettle(db)
}

/**
 * The text of a settled call's receipt, as `factsOf` of domain/receipt.ts writes it: JSON without whitespace, its
 * members in a fixed order; and the text that is hashed and signed, which adds the receipt’s place in its key's chain.
 * A product of decimals is exact, whereas a quotient is rounded.
 */
async function createReceiptText(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function usd_text(nano bigint) returns text language sql immutable as $$
      select trim_scale(nano * 0.000000001)::text $$`.execute(db)
  await sql`
    create function iso_time(at timestamptz) returns text language sql stable as $$
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`.execute(db)
  await sql`
    create function receipt_facts(settled call) returns text language sql stable as $$
      select row_to_json(facts)::text from (select
        settled.call_id as id, settled.key_id as key, settled.model, settled.upstream, settled.surface, settled.source,
        case when settled.input_tokens is not null then (select row_to_json(used) from (select
          settled.input_tokens as "inputTokens", settled.output_tokens as "outputTokens", settled.cache_read_tokens as "cacheReadTokens",
          settled.cache_write_tokens as "cacheWriteTokens", settled.reasoning_tokens as "reasoningTokens") as used) end as usage,
        settled.estimated, settled.ending, settled.price_version as "priceVersion", usd_text(settled.amount_nano) as "heldUsd",
        usd_text(settled.cost_nano) as "amountUsd", 'USD' as currency, iso_time(settled.created_at) as "createdAt",
        iso_time(settled.settled_at) as "settledAt") as facts $$`.execute(db)
  await sql`
    create function receipt_hash(facts text, seq bigint, previous bytea) returns bytea language sql stable as $$
      select sha256(convert_to(left(facts, -1) || ',"seq":' || seq || ',"previous":'
        || coalesce('"' || encode(previous, 'hex') || '"', 'null') || '}', 'UTF8')) $$`.execute(db)
}

/**
 * Locks rows in the order call, key, balance, budgets of owner, link and key, as holds do, and then the row of the
 * key’s last receipt. A budget that has moved on to another day is left alone: it has forgotten the hold, and the cost
 * belongs to its day.
 * @returns the call as it was, with the facts and place of its receipt if it was settled now; no row for an unknown one
 */
async function createSettle(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function settle_call(
      asked_call text, cost bigint, of_ending text, is_estimated boolean, of_upstream text, at timestamptz,
      input integer, output integer, cache_read integer, cache_write integer, reasoning integer,
      out was text, out amount bigint, out facts text, out seq bigint, out previous bytea
    ) returns setof record language plpgsql set search_path from current as $$
    declare
      due call%rowtype;
      transfer bigint;
      subjects text[];
      one text;
    begin
      select call.* into due from call where call_id = asked_call for no key update;
      if not found then return; end if;
      was := due.state; amount := due.amount_nano;
      if was <> 'held' or cost > amount then return next; return; end if;
      due.cost_nano := cost; due.ending := of_ending; due.estimated := is_estimated; due.upstream := of_upstream;
      due.settled_at := at; due.input_tokens := input; due.output_tokens := output; due.cache_read_tokens := cache_read;
      due.cache_write_tokens := cache_write; due.reasoning_tokens := reasoning;

      update router_key
      set under_way = greatest(under_way - 1, 0),
          paid_in_held_nano = paid_in_held_nano - case when due.from_paid_in then amount else 0 end,
          paid_in_spent_nano = paid_in_spent_nano + case when due.from_paid_in then cost else 0 end
      where id = due.key_id;
      if due.source = 'balance' then
        update balance set held_nano = held_nano - amount, spent_nano = spent_nano + cost where owner = due.owner;
      end if;
      subjects := case when due.source = 'compute' then array['owner:' || due.owner, 'link:' || due.link_id] end
        || ('key:' || due.key_id);
      foreach one in array subjects loop
        continue when one is null;
        update budget set held_nano = held_nano - amount, spent_nano = spent_nano + cost
        where subject = one and day = due.day;
      end loop;

      facts := receipt_facts(due);
      insert into receipt_chain as last (key_id, seq, previous, hash, facts)
      values (due.key_id, 1, null, receipt_hash(facts, 1, null), facts)
      on conflict (key_id) do update
      set seq = last.seq + 1, previous = last.hash, facts = excluded.facts,
          hash = receipt_hash(excluded.facts, last.seq + 1, last.hash)
      returning last.seq, last.previous, last.hash
      into seq, previous, due.receipt_hash;
      update call
      set state = 'settled', cost_nano = cost, upstream = of_upstream, estimated = is_estimated, ending = of_ending,
          settled_at = at, input_tokens = input, output_tokens = output, cache_read_tokens = cache_read,
          cache_write_tokens = cache_write, reasoning_tokens = reasoning,
          receipt_seq = seq, receipt_previous = previous, receipt_hash = due.receipt_hash
      where call_id = asked_call;

      if due.source = 'balance' and cost > 0 then
        insert into ledger_transfer (kind, reference, created_at) values ('usage', 'call:' || asked_call, at)
        returning id into transfer;
        insert into ledger_entry (transfer_id, account_id, amount_nano)
        values (transfer, 'owner:' || due.owner, - cost), (transfer, 'usage', cost);
      end if;
      return next;
    end $$`.execute(db)
}
