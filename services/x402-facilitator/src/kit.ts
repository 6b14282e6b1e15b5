import type { Operation } from '@callboard/contract'
import type { Chain, ChainClients, ChainSet } from '@callboard/evm'
import type { Handler, Kit } from '@callboard/runtime'
import type { SettledToken, V1Networks } from '@callboard/x402'
import type { BatchContracts } from './chain/batch-contracts.ts'
import type { FeeSource } from './chain/fee-source.ts'
import type { Keyring } from './chain/signing.ts'
import type { TokenChecks } from './chain/token-check.ts'
import type { Config } from './config.ts'
import type { Meters } from './meters.ts'
import type { Departures } from './settlement/departures.ts'
import type { Drives } from './settlement/drives.ts'
import type { Joint } from './settlement/joint.ts'
import type { LaneBook } from './settlement/lane-book.ts'
import type { Ticks } from './settlement/ticks.ts'
import type { FacilitatorTables } from './store/tables.ts'

export interface Parts {
  readonly chains: ChainSet
  readonly clients: ChainClients
  /** The tokens we settle: each served chain's USDC. */
  readonly tokens: readonly SettledToken[]
  /** Version 1 names, those of served chains included. */
  readonly v1Networks: V1Networks
  /** Seconds an authorization must still hold when it is presented. */
  readonly marginSeconds: ReadonlyMap<string, number>
  readonly keys: Keyring
  readonly tokenChecks: TokenChecks
  readonly batches: BatchContracts
  readonly fees: FeeSource
  readonly lanes: LaneBook
  readonly ticks: Ticks
  readonly departures: Departures
  readonly drives: Drives
  readonly joint: Joint
  readonly meters: Meters
  /** Most wei per gas that a transaction may offer on a chain. */
  readonly feeCap: (chain: Chain) => bigint
  /** Names this process in leases. */
  readonly instance: string
}

export type FacilitatorKit = Kit<Config, FacilitatorTables, Parts>
/** What is there before payments do anything together. */
export type JointKit = Kit<Config, FacilitatorTables, Omit<Parts, 'joint'>>
export type FacilitatorHandler<Op extends Operation> = Handler<Op, FacilitatorKit>
