import type { Operation } from '@callboard/contract'
import type { Chain, ChainClients, ChainSet } from '@callboard/evm'
import type { Handler, ServiceContext, SingleFlight } from '@callboard/runtime'
import type { Caip2 } from '@callboard/values'
import type { Confirmation, ConfirmationPolicy, SettledToken, V1Networks } from '@callboard/x402'
import type { BatchContracts } from './chain/batch-contracts.ts'
import type { FeeSource } from './chain/fee-source.ts'
import type { GenesisHashes } from './chain/genesis-hashes.ts'
import type { NetworksHealth } from './chain/network-health.ts'
import type { TokenChecks } from './chain/token-check.ts'
import type { Config } from './config.ts'
import type { Meters } from './meters.ts'
import type { Batcher } from './settlement/batching/batcher.ts'
import type { LaneBook } from './settlement/batching/lane-book.ts'
import type { StoredTransactions } from './settlement/batching/stored-transactions.ts'
import type { Submissions } from './settlement/batching/submissions.ts'
import type { SpentBudgets } from './settlement/gas/spent-budgets.ts'
import type { IdleWaits } from './settlement/idle-waits.ts'
import type { RecentProofs } from './settlement/proofs/recent-proofs.ts'
import type { PollIntervals } from './settlement/runner/poll-interval.ts'
import type { KeyRing } from './signers/key-ring.ts'
import type { FacilitatorTables, Payment } from './store/tables.ts'

export interface Resources {
  readonly chains: ChainSet
  readonly clients: ChainClients
  /** The tokens we settle: each served chain's USDC. */
  readonly tokens: readonly SettledToken[]
  /** Version 1 names, those of served chains included. */
  readonly v1Networks: V1Networks
  /** Seconds for which an authorization must still be valid when it is presented. */
  readonly marginSeconds: ReadonlyMap<string, number>
  /** The confirmation policies of payments, by network. */
  readonly confirmations: ReadonlyMap<Caip2, ConfirmationPolicy>
  /** The confirmation that `/x402/decode` asks for, by network; the network's default where it has no entry. */
  readonly decodeConfirmations: ReadonlyMap<string, Confirmation>
  /** The keys of all signing accounts. */
  readonly keys: KeyRing
  readonly tokenChecks: TokenChecks
  readonly genesis: GenesisHashes
  readonly batches: BatchContracts
  readonly fees: FeeSource
  readonly lanes: LaneBook
  readonly polls: PollIntervals
  readonly recentProofs: RecentProofs
  /** The payments that this process runs, by their key. */
  readonly runs: SingleFlight<Payment | undefined>
  readonly idleWaits: IdleWaits
  readonly batcher: Batcher
  readonly stored: StoredTransactions
  readonly submissions: Submissions
  readonly health: NetworksHealth
  readonly spent: SpentBudgets
  readonly meters: Meters
  /** The least payment, in base units of a network's token, for which a resource is probed. */
  readonly discoveryMinimum: (network: Caip2) => bigint
  /** Most wei per gas that a transaction may offer on a chain. */
  readonly feeCap: (chain: Chain) => bigint
  /** Names this process in leases. */
  readonly instance: string
}

export type FacilitatorContext = ServiceContext<Config, FacilitatorTables, Resources>
/** The context without the batcher, from which the batcher is built. */
export type BatchingContext = ServiceContext<Config, FacilitatorTables, Omit<Resources, 'batcher'>>
export type FacilitatorHandler<Op extends Operation> = Handler<Op, FacilitatorContext>
