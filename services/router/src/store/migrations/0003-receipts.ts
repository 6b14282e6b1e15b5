import { type Kysely, sql } from 'kysely'

/** Receipts of settled calls, chained by key; the keys that sign them; what was refused, and which limits held when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createChains(db)
  await createRefusals(db)
  await createLimits(db)
}

async function createChains(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table call
      add column receipt_seq bigint check (receipt_seq > 0),
      add column receipt_previous bytea check (length(receipt_previous) = 32),
      add column receipt_hash bytea check (length(receipt_hash) = 32),
      add check ((receipt_seq is null) = (receipt_hash is null)),
      add check ((receipt_seq > 1) = (receipt_previous is not null))`.execute(db)
  await sql`create unique index call_by_receipt on call (key_id, receipt_seq) where receipt_seq is not null`.execute(db)
  // The last receipt of each key: the row on which settlements of a key wait for each other.
  await sql`
    create table receipt_chain (
      key_id text primary key,
      seq bigint not null,
      previous bytea,
      hash bytea not null,
      facts text not null
    )`.execute(db)
  await sql`
    create table receipt_key (
      kid text primary key,
      public_key bytea not null unique check (length(public_key) = 32),
      first_used_at timestamptz not null
    )`.execute(db)
}

async function createRefusals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refusal (
      id bigserial primary key,
      key_id text not null,
      refused_at timestamptz not null,
      model text not null,
      surface text not null,
      level text not null,
      asked_nano bigint not null,
      left_nano bigint not null,
      in_flight_nano bigint not null
    )`.execute(db)
  await sql`create index refusal_by_key on refusal (key_id, id)`.execute(db)
}

/** Holds and settlements do not name the column, so that they do not start the trigger. */
async function createLimits(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table budget_limit (
      id bigserial primary key,
      subject text not null,
      limit_nano bigint,
      since timestamptz not null
    )`.execute(db)
  await sql`create index budget_limit_by_subject on budget_limit (subject, since)`.execute(db)
  await sql`
    insert into budget_limit (subject, limit_nano, since) select subject, limit_nano, clock_timestamp() from budget`.execute(
    db,
  )
  await sql`
    create function note_budget_limit() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op = 'INSERT' or old.limit_nano is distinct from new.limit_nano then
        insert into budget_limit (subject, limit_nano, since) values (new.subject, new.limit_nano, clock_timestamp());
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger budget_limit_noted after insert or update of limit_nano on budget
    for each row execute function note_budget_limit()`.execute(db)
}
