import { type Kysely, sql } from 'kysely'

/**
 * `backup` is what an agent stored of its device, encrypted to a key of its owner's; it outlives the link. `relay` is
 * what a program asks of an owner's browser, by the SHA-256 of its code. The row of a relay that is over stays a while,
 * so that its code is not used again; its sealed bytes go when they are read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backup (
      owner text not null references owner,
      device text not null,
      version smallint not null,
      recipient text not null,
      enc text not null,
      ciphertext bytea not null,
      sha256 text not null,
      stored_by text not null,
      stored_at timestamptz not null,
      primary key (owner, device)
    )`.execute(db)
  // Ciphertext does not compress.
  await sql`alter table backup alter column ciphertext set storage external`.execute(db)
  await sql`
    create table relay (
      code_hash text primary key,
      public_key text not null,
      device text not null,
      purpose text not null,
      address text not null,
      user_agent text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      owner text,
      version smallint,
      enc text,
      ciphertext bytea,
      sealed_at timestamptz,
      read_at timestamptz,
      check (owner is not null or sealed_at is null),
      check ((ciphertext is not null) = (sealed_at is not null and read_at is null))
    )`.execute(db)
  await sql`alter table relay alter column ciphertext set storage external`.execute(db)
  await sql`create index relay_by_end on relay (expires_at)`.execute(db)
}
