import { type Kysely, sql } from 'kysely'

/** The parts of a settlement that the sums and the verdicts use. */
const COUNTED = 'observed_at, payer, pay_to, slug, kind, shared_with is not null, amount_usd, facilitator, patterns'
const NAMES = 'observed_at, payer, pay_to, slug, kind, is_shared, amount_usd, facilitator, patterns'
const STANDS = 'slug is not null and not reverted'

/**
 * Stored instead of computed sums, and what is set aside of them. Triggers note every change of a settlement as what it
 * subtracts and what it adds, so that no writer can bypass the sums, not even a replica of the previous release; the
 * job adds up the notes. The result does not depend on their order.
 *
 * Existing settlements are noted here once, and count once the job adds them up.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settlement
      add column facilitator text collate "C",
      add column patterns integer not null default 0`.execute(db)
  await createTables(db)
  await createTriggers(db)
  await sql`
    insert into settlement_change (sign, ${sql.raw(NAMES)})
    select 1, ${sql.raw(COUNTED)} from settlement where ${sql.raw(STANDS)}`.execute(db)
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table settlement_change (
      id bigint generated always as identity primary key,
      sign smallint not null,
      observed_at timestamptz not null,
      payer text collate "C" not null,
      pay_to text collate "C" not null,
      slug text collate "C" not null,
      kind text not null,
      is_shared boolean not null,
      amount_usd numeric not null,
      facilitator text collate "C",
      patterns integer not null,
      only_patterns boolean not null default false
    )`.execute(db)
  await sql`
    create table total_hour (
      hour timestamptz primary key,
      calls bigint not null, volume numeric not null,
      dust bigint not null, dust_volume numeric not null,
      transfers bigint not null, transfer_volume numeric not null,
      shared bigint not null, shared_volume numeric not null,
      invented bigint not null, invented_volume numeric not null
    )`.execute(db)
  await sql`
    create table listing_day (
      slug text collate "C", day timestamptz,
      calls bigint not null, volume numeric not null, invented bigint not null, invented_volume numeric not null,
      primary key (slug, day)
    )`.execute(db)
  await sql`
    create table paid_slot (
      payer text collate "C", pay_to text collate "C", slot timestamptz,
      calls bigint not null, dust bigint not null, volume numeric not null,
      primary key (payer, pay_to, slot)
    )`.execute(db)
  await sql`create index paid_slot_by_time on paid_slot (slot)`.execute(db)
  await sql`create index paid_slot_by_payee on paid_slot (pay_to)`.execute(db)
  await sql`
    create table payer_hour (
      payer text collate "C", hour timestamptz, above bigint not null, primary key (payer, hour)
    )`.execute(db)
  await sql`create index payer_hour_by_time on payer_hour (hour)`.execute(db)
  await sql`
    create table taking_part (
      role text, name text collate "C", above bigint not null, last_at timestamptz, stale boolean not null,
      primary key (role, name)
    )`.execute(db)
  await sql`create index taking_part_by_time on taking_part (role, last_at) where above > 0`.execute(db)
  await sql`create index taking_part_by_calls on taking_part (role, above desc)`.execute(db)
  await sql`create index taking_part_stale on taking_part (role) where stale`.execute(db)
  await sql`
    create table settled_week (
      week timestamptz, facilitator text collate "C", payer text collate "C", calls bigint not null,
      primary key (week, facilitator, payer)
    )`.execute(db)
  await sql`
    create table paid_dirty (
      week timestamptz, payer text collate "C", pay_to text collate "C", primary key (week, payer, pay_to)
    )`.execute(db)
  await sql`
    create table paid_verdict (
      week timestamptz, payer text collate "C", pay_to text collate "C", suspicions jsonb not null,
      primary key (week, payer, pay_to)
    )`.execute(db)
  await sql`
    create table submission (
      network text collate "C", tx_hash text collate "C", facilitator text collate "C" not null,
      primary key (network, tx_hash)
    )`.execute(db)
  await sql`
    create table splitter (
      network text collate "C", address text collate "C", wallet text collate "C" not null,
      reverted boolean not null, sequence bigint not null,
      primary key (network, address)
    )`.execute(db)
  await sql`
    create table supply_change (
      network text collate "C", tx_hash text collate "C", log_index integer,
      total_change numeric not null, locked_change numeric not null, reverted boolean not null, sequence bigint not null,
      primary key (network, tx_hash, log_index)
    )`.execute(db)
  await sql`
    create table chain_progress (
      network text collate "C" primary key, block_number bigint not null, block_at timestamptz not null,
      behind_blocks bigint not null, sequence bigint not null
    )`.execute(db)
}

async function createTriggers(db: Kysely<unknown>): Promise<void> {
  const note = (name: string, body: string) =>
    sql`
      create function ${sql.id(name)}() returns trigger language plpgsql set search_path from current as $$
      begin
        ${sql.raw(body)}
        if found then
          perform pg_notify('settled_' || tg_table_schema, '');
        end if;
        return null;
      end $$`.execute(db)
  const of = (sign: number, rows: string) => `select ${sign}, ${COUNTED} from ${rows} where ${STANDS}`
  await note('note_settled', `insert into settlement_change (sign, ${NAMES}) ${of(1, 'new_rows')};`)
  await note('note_unsettled', `insert into settlement_change (sign, ${NAMES}) ${of(-1, 'old_rows')};`)
  const counted = (row: string) =>
    COUNTED.split(', ')
      .map((column) => `${row}.${column}`)
      .concat(`${row}.reverted`)
      .join(', ')
  const without = (row: string) => counted(row).replace(`, ${row}.patterns`, '')
  await note(
    'note_resettled',
    `insert into settlement_change (sign, ${NAMES}, only_patterns)
     select sign, ${NAMES.replaceAll(/(\w+)/g, 'one.$1')},
            (${without('before')}) is not distinct from (${without('after')})
     from old_rows before join new_rows after using (network, tx_hash, log_index)
       cross join lateral (values (-1, ${counted('before')}), (1, ${counted('after')})) one (sign, ${NAMES}, reverted)
     where (${counted('before')}) is distinct from (${counted('after')}) and one.slug is not null and not one.reverted;`,
  )
  // Even if the plan was made for few rows, a statement may change many.
  await sql`alter function note_resettled() set enable_nestloop = off`.execute(db)
  await sql`
    create trigger note_insert after insert on settlement referencing new table as new_rows
      for each statement execute function note_settled()`.execute(db)
  await sql`
    create trigger note_update after update on settlement referencing old table as old_rows new table as new_rows
      for each statement execute function note_resettled()`.execute(db)
  await sql`
    create trigger note_delete after delete on settlement referencing old table as old_rows
      for each statement execute function note_unsettled()`.execute(db)
  // By `delete`, not `truncate`: it does not wait for readers of the sums, who may be waiting for the settlements.
  await note(
    'forget_sums',
    ['settlement_change', 'total_hour', 'listing_day', 'paid_slot', 'payer_hour', 'taking_part', 'settled_week']
      .concat('paid_dirty', 'paid_verdict')
      .map((table) => `delete from ${table};`)
      .join('\n        '),
  )
  await sql`
    create trigger forget_truncate after truncate on settlement
      for each statement execute function forget_sums()`.execute(db)
  await createDoubt(db)
}

/** A change of who is behind an address is a reason to judge its payments again, both made and received. */
async function createDoubt(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function doubt_paid() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into paid_dirty
      select distinct date_bin('7 days', slot, '1970-01-05T00:00:00Z'::timestamptz) + after.weeks, payer, pay_to
      from paid_slot cross join (values (interval '0'), (interval '7 days')) after (weeks)
      where pay_to = new.address or payer = new.address
      on conflict do nothing;
      if found then
        perform pg_notify('settled_' || tg_table_schema, '');
      end if;
      return null;
    end $$`.execute(db)
  for (const table of ['payee_claim', 'splitter'])
    await sql`
      create trigger doubt_paid after insert or update on ${sql.id(table)}
        for each row execute function doubt_paid()`.execute(db)
}
