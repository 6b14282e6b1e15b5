import type { HttpMethod, ProbeState } from '@callboard/contract'
import type { Db, Tx } from '@callboard/store'
import type { ColumnType } from 'kysely'

/** The newest snapshot that was taken in of a listing; older ones are ignored. */
export interface ListingTable {
  slug: string
  version: number
}

/** A host under watch. Its lease says which replica visits it now; `lease` and `leased_until` are set together. */
export interface OriginTable {
  origin: string
  next_due_at: Date
  lease: string | null
  /** By the database's clock, which all replicas share. */
  leased_until: Date | null
}

/** An endpoint of a live listing. */
export interface TargetTable {
  slug: string
  method: HttpMethod
  url: string
  origin: string
  input_schema: ColumnType<Record<string, unknown> | null, string | null>
  next_due_at: Date
  last_checked_at: Date | null
  state: ProbeState | null
  consecutive_down: number
}

/** One endpoint's checks of one UTC day, see domain/rolling-week.ts. */
export interface CheckDayTable {
  slug: string
  method: HttpMethod
  url: string
  day: number
  checks: number
  ok: number
  neutral: number
  buckets: number[]
}

export interface ProberTables {
  listing: ListingTable
  origin: OriginTable
  target: TargetTable
  check_day: CheckDayTable
}

export type ProberDb = Db<ProberTables>
export type ProberTx = Tx<ProberTables>
