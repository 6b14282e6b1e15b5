import type { Operation } from '@callboard/contract'
import type { Handler, Kit } from '@callboard/runtime'
import type { ForeignOfferContext } from '@callboard/x402'
import type { Config } from './config.ts'
import type { Guard } from './guarded-fetch/index.ts'
import type { ProberMeters } from './meters.ts'
import type { ProberTables } from './store/tables.ts'

export interface Parts {
  readonly guard: Guard
  /** The tokens that are paid with and the version 1 names of the chains. */
  readonly known: ForeignOfferContext
  readonly meters: ProberMeters
}

export type ProberKit = Kit<Config, ProberTables, Parts>
export type ProberHandler<Op extends Operation> = Handler<Op, ProberKit>
