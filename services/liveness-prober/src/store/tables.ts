import type { EndpointSample, HttpMethod, ProbeState } from '@callboard/contract'
import type { Db, Tx } from '@callboard/store'
import type { ColumnType } from 'kysely'

/** The newest snapshot of a listing that was processed; older ones are ignored. */
export interface ListingTable {
  slug: string
  version: number
}

/** A host under watch. Its lease says which replica visits it now; `lease` and `leased_until` are set together. */
export interface OriginTable {
  origin: string
  /** Null if an older replica added it. */
  site: string | null
  next_due_at: Date
  lease: string | null
  /** By the database's clock, which all replicas share. */
  leased_until: Date | null
  /** By the same clock: until then the schedule does not visit it, but a probe on demand may. */
  alone_until: Date | null
}

/** An endpoint of a live listing. */
export interface TargetTable {
  slug: string
  method: HttpMethod
  url: string
  origin: string
  input_schema: ColumnType<Record<string, unknown> | null, string | null>
  /** The input that its owner provided for probes. */
  sample: ColumnType<EndpointSample | null, string | null>
  next_due_at: Date
  last_checked_at: Date | null
  state: ProbeState | null
  consecutive_down: number
  /** Identifies what the last challenge said about the endpoint; null before one was read. */
  described_digest: string | null
  /** Listed by a third party, not its provider: probed rarely, and only where robots.txt allows. */
  mirrored: boolean
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
  left_out: number
  buckets: number[]
}

/** A probe that the facilitator asked for; removed once answered. */
export interface ResourceProbeTable {
  /** Origin and path. */
  url: string
  origin: string
  /** The newest request; its answer carries it. */
  probe_id: string
  next_due_at: Date
}

export interface ProberTables {
  listing: ListingTable
  origin: OriginTable
  target: TargetTable
  check_day: CheckDayTable
  resource_probe: ResourceProbeTable
}

export type ProberDb = Db<ProberTables>
export type ProberTx = Tx<ProberTables>
