import type { ColumnType, Generated, Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export interface OutboxTable {
  sequence: Generated<number>
  id: string
  name: string
  key: string
  occurred_at: ColumnType<Date, Date, never>
  traceparent: string | null
  data: ColumnType<unknown, string, never>
  published_at: Date | null
}

export interface InboxTable {
  consumer: string
  event_id: string
  handled_at: Generated<Date>
}

export interface DeadLetterTable {
  consumer: string
  event_id: string
  name: string
  reason: string
  envelope: ColumnType<unknown, string, never>
  attempts: number
  died_at: Generated<Date>
}

export interface EventLogTable {
  /** Always true: there is one row. */
  single: Generated<boolean>
  identity: string | null
}

/** The tables through which events leave and enter a service; every schema has its own. */
export interface EventTables {
  outbox: OutboxTable
  inbox: InboxTable
  dead_letter: DeadLetterTable
  event_log: EventLogTable
}

/**
 * The outbox keeps its published rows: it is the service's event log, from which projections are rebuilt. Its partial
 * index holds only rows waiting to be published.
 */
export const eventTables: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table outbox (
        sequence bigint generated always as identity primary key,
        id text not null unique,
        name text not null,
        key text not null,
        occurred_at timestamptz not null,
        traceparent text,
        data jsonb not null,
        published_at timestamptz
      )`.execute(db)
    await sql`create index outbox_waiting on outbox (sequence) where published_at is null`.execute(db)
    await sql`create index outbox_by_name on outbox (name, sequence)`.execute(db)
    await sql`
      create table inbox (
        consumer text not null,
        event_id text not null,
        handled_at timestamptz not null default now(),
        primary key (consumer, event_id)
      )`.execute(db)
    await sql`
      create table dead_letter (
        consumer text not null,
        event_id text not null,
        name text not null,
        reason text not null,
        envelope jsonb not null,
        attempts integer not null,
        died_at timestamptz not null default now(),
        primary key (consumer, event_id)
      )`.execute(db)
  },
}

/** Records which log of the bus the outbox was published to. */
export const eventLogTable: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table event_log (single boolean primary key default true check (single), identity text)`.execute(
      db,
    )
    await sql`insert into event_log default values`.execute(db)
  },
}

/** Claims are deleted by their age. */
export const claimsByAge: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index inbox_by_age on inbox (handled_at)`.execute(db)
  },
}
