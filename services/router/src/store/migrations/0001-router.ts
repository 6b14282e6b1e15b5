import { type Kysely, sql } from 'kysely'

/** Amounts are whole nano-USD. The database itself refuses what must never be: money below zero, a changed ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createKeys(db)
  await createFunds(db)
  await createCalls(db)
  await createLedger(db)
  await createTopUps(db)
}

async function createKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table router_key (
      id text primary key,
      hash bytea not null unique check (length(hash) = 32),
      prefix text not null,
      owner text not null,
      link_id text,
      source text not null check (source in ('compute', 'balance')),
      label text not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      ended_at timestamptz
    )`.execute(db)
  await sql`create index router_key_live_by_owner on router_key (owner) where ended_at is null`.execute(db)
  await sql`create index router_key_by_link on router_key (link_id)`.execute(db)
}

async function createFunds(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table budget (
      subject text primary key,
      limit_nano bigint check (limit_nano >= 0),
      day date not null,
      spent_nano bigint not null check (spent_nano >= 0),
      held_nano bigint not null check (held_nano >= 0)
    )`.execute(db)
  await sql`
    create table balance (
      owner text primary key,
      purchased_nano bigint not null,
      spent_nano bigint not null check (spent_nano >= 0),
      held_nano bigint not null check (held_nano >= 0),
      check (spent_nano + held_nano <= purchased_nano)
    )`.execute(db)
}

async function createCalls(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table call (
      call_id text primary key,
      key_id text not null,
      owner text not null,
      link_id text,
      source text not null,
      day date not null,
      amount_nano bigint not null check (amount_nano >= 0),
      model text not null,
      price_version text not null,
      surface text not null,
      upstream text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      state text not null check (state in ('held', 'settled')),
      cost_nano bigint check (cost_nano between 0 and amount_nano),
      input_tokens integer,
      output_tokens integer,
      cache_read_tokens integer,
      cache_write_tokens integer,
      reasoning_tokens integer,
      estimated boolean,
      ending text,
      settled_at timestamptz,
      check ((state = 'settled') = (cost_nano is not null)),
      check ((state = 'settled') = (settled_at is not null))
    )`.execute(db)
  await sql`create index call_held_by_expiry on call (expires_at) where state = 'held'`.execute(db)
  await sql`create index call_under_way on call (key_id) where state = 'held'`.execute(db)
  await sql`create index call_by_owner on call (owner, created_at)`.execute(db)
}

/**
 * Entries name accounts without a foreign key: every call would lock the one row of the account `usage`.
 * `ledgerFaults` finds an entry whose account is unknown.
 */
async function createLedger(db: Kysely<unknown>): Promise<void> {
  await sql`create table ledger_account (id text primary key)`.execute(db)
  await sql`insert into ledger_account values ('usage')`.execute(db)
  await sql`
    create table ledger_transfer (
      id bigserial primary key,
      kind text not null check (kind in ('top_up', 'usage')),
      reference text not null unique,
      created_at timestamptz not null
    )`.execute(db)
  await sql`
    create table ledger_entry (
      transfer_id bigint not null references ledger_transfer,
      account_id text not null,
      amount_nano bigint not null check (amount_nano <> 0),
      primary key (transfer_id, account_id)
    )`.execute(db)
  await sql`create index ledger_entry_by_account on ledger_entry (account_id)`.execute(db)
  await refuseUnbalanced(db)
  await refuseChanges(db)
}

async function refuseUnbalanced(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_unbalanced_transfer() returns trigger language plpgsql set search_path from current as $$
    declare
      transfer bigint := case tg_table_name when 'ledger_entry' then (to_jsonb(new) ->> 'transfer_id')::bigint
                                            else (to_jsonb(new) ->> 'id')::bigint end;
      total numeric := (select sum(amount_nano) from ledger_entry where transfer_id = transfer);
    begin
      if total is distinct from 0 then
        raise exception 'ledger transfer % sums to %', transfer, coalesce(total::text, 'nothing')
          using errcode = 'check_violation';
      end if;
      return null;
    end $$`.execute(db)
  for (const table of ['ledger_transfer', 'ledger_entry']) {
    await sql`
      create constraint trigger ${sql.id(`${table}_balances`)} after insert on ${sql.id(table)}
      deferrable initially deferred for each row execute function refuse_unbalanced_transfer()`.execute(db)
  }
}

async function refuseChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$`.execute(db)
  for (const table of ['ledger_transfer', 'ledger_entry']) {
    await sql`
      create trigger ${sql.id(`${table}_append_only`)} before update or delete or truncate on ${sql.id(table)}
      for each statement execute function refuse_ledger_change()`.execute(db)
  }
}

async function createTopUps(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table top_up (
      payment_key text not null,
      fingerprint text not null,
      owner text not null,
      amount_nano bigint not null check (amount_nano > 0),
      network text not null,
      state text not null check (state in ('pending', 'credited', 'failed')),
      created_at timestamptz not null,
      credited_at timestamptz check ((state = 'credited') = (credited_at is not null)),
      transaction text,
      primary key (payment_key, fingerprint)
    )`.execute(db)
  await sql`create index top_up_pending on top_up (created_at) where state = 'pending'`.execute(db)
  await sql`create index top_up_by_owner on top_up (owner, created_at)`.execute(db)
}
