import { type Kysely, sql } from 'kysely'

/** Amounts and times of an authorization are uint256, hence numeric. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment (
      key text primary key,
      network text not null,
      asset text not null,
      payer text not null,
      nonce text not null,
      pay_to text not null,
      amount numeric(78,0) not null,
      valid_after numeric(78,0) not null,
      valid_before numeric(78,0) not null,
      signature text not null,
      suffix text not null,
      resource jsonb,
      state text not null,
      reason text,
      lane text,
      chain_nonce bigint,
      tx_hash text,
      settled_tx text,
      block_number bigint,
      block_hash text,
      is_foreign boolean not null default false,
      announced_tx text,
      lease_owner text,
      lease_until timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`
    create index payment_open on payment (updated_at)
      where state in ('claimed', 'verified', 'signed', 'broadcast')`.execute(db)
  await sql`
    create index payment_in_flight on payment (network, asset, payer)
      where state in ('signed', 'broadcast')`.execute(db)
  await sql`
    create index payment_watched on payment (network, block_number)
      where state in ('mined', 'reverted')`.execute(db)
  await sql`
    create index payment_came_to_nothing on payment (network, payer, updated_at)
      where state in ('reverted', 'failed')`.execute(db)
  await sql`
    create table lane (
      network text not null,
      address text not null,
      next_nonce bigint not null,
      kept_until timestamptz not null default '-infinity',
      primary key (network, address)
    )`.execute(db)
  await sql`
    create table transaction (
      hash text primary key,
      network text not null,
      lane text not null,
      chain_nonce bigint not null,
      payment_key text not null,
      raw text not null,
      created_at timestamptz not null,
      sent_at timestamptz
    )`.execute(db)
  await sql`create index transaction_by_slot on transaction (network, lane, chain_nonce, created_at)`.execute(db)
  await sql`create index transaction_by_payment on transaction (payment_key)`.execute(db)
  await sql`
    create table resource (
      resource text not null,
      pay_to text not null,
      type text not null,
      x402_version integer not null,
      accepts jsonb not null,
      description text,
      mime_type text,
      service_name text,
      extensions jsonb,
      first_seen_at timestamptz not null,
      last_updated_at timestamptz not null,
      primary key (resource, pay_to)
    )`.execute(db)
  await sql`create index resource_by_age on resource (first_seen_at desc, resource)`.execute(db)
  await sql`
    create table grant_binding (
      payment_key text primary key,
      operation text not null,
      fingerprint text not null,
      result json,
      created_at timestamptz not null
    )`.execute(db)
  await sql`
    create table payment_identifier (
      operation text not null,
      id text not null,
      fingerprint text not null,
      payment_key text not null,
      created_at timestamptz not null,
      primary key (operation, id)
    )`.execute(db)
}
