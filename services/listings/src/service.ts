import {
  listingChanged,
  livenessProber,
  listings as operations,
  probeCompleted,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { openChains } from '@callboard/evm'
import { measuringChainCalls, on, service } from '@callboard/runtime'
import { Config } from './config.ts'
import { onProbeCompleted } from './consumers/probe-completed.ts'
import { onSettlementObserved } from './consumers/settlement-observed.ts'
import { onSettlementReverted } from './consumers/settlement-reverted.ts'
import type { Callee, Parts } from './kit.ts'
import { edit } from './operations/edit.ts'
import { mine } from './operations/mine.ts'
import { payoutNonce } from './operations/payout-nonce.ts'
import { probe } from './operations/probe.ts'
import { publish } from './operations/publish.ts'
import { resync } from './operations/resync.ts'
import { review } from './operations/review.ts'
import { setStatus } from './operations/set-status.ts'
import { splitters } from './operations/splitters.ts'
import * as listingTables from './store/migrations/0001-listings.ts'
import type { ListingsTables } from './store/tables.ts'

/** The provider side: drafts proven by their payout wallet, their way to the public directory, and what they earn. */
export const listings = service<typeof Config, ListingsTables, Parts, typeof operations, Callee>({
  name: 'listings',
  config: Config,
  migrations: { '0001-listings': listingTables },
  open: async ({ config, metrics }) => openChains(config, measuringChainCalls(metrics)),
  operations,
  serves: { mine, payoutNonce, splitters, probe, publish, setStatus, edit, resync, review },
  calls: [livenessProber.probe],
  consumes: [
    on(probeCompleted, onProbeCompleted),
    on(settlementObserved, onSettlementObserved),
    on(settlementReverted, onSettlementReverted),
  ],
  publishes: [listingChanged],
})
