import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** The facilitator's metrics, in addition to the usual ones. A `lane` is the address of a signing account. */
export interface Meters {
  /** Payments that reached an outcome: `settled`, `foreign`, or a reason. */
  readonly outcomes: Counter<'network' | 'outcome'>
  /** Payments between claim and end. */
  readonly open: Gauge<'network' | 'state'>
  readonly oldestSeconds: Gauge<'network' | 'state'>
  /** Settled payments whose block vanished. */
  readonly vanished: Counter<'network'>
  /** Preconfirmed payments whose transaction no block included as announced. */
  readonly preconfirmationsVanished: Counter<'network'>
  readonly resent: Counter<'network'>
  readonly repriced: Counter<'network'>
  /** Gas that was burned, by whether it bought anything. */
  readonly gas: Counter<'network' | 'use'>
  /** Payments that were refused because a gas budget is spent. */
  readonly gasRefused: Counter<'network' | 'scope'>
  readonly gasUsedRatio: Gauge<'network' | 'window'>
  /** Payments of each transaction that was signed. */
  readonly legs: Histogram<'network'>
  /** Payments whose transaction failed by no fault of their payer; each is tried again. */
  readonly ownFailures: Counter<'network' | 'cause'>
  /** Queries that a node did not run through the payment lens. */
  readonly lensLost: Counter<'network'>
  /** What a signing account holds for gas, in whole coins. */
  readonly laneBalance: Gauge<'network' | 'lane'>
  readonly lanesFunded: Gauge<'network'>
  readonly laneInFlight: Gauge<'network' | 'lane'>
  readonly laneOldestSeconds: Gauge<'network' | 'lane'>
  /** Time that a signature took, by where its key is and how it ended. */
  readonly signingSeconds: Histogram<'lane' | 'signer' | 'outcome'>
  /** Resources in discovery. */
  readonly resources: Gauge<'state'>
  readonly resourcesOldestDueSeconds: Gauge
}

export const createMeters = (registry: Registry): Meters => ({
  ...payments(registry),
  ...gas(registry),
  ...lanes(registry),
  ...signers(registry),
  ...discovery(registry),
})

const payments = (registry: Registry) => ({
  outcomes: new Counter({
    name: 'callboard_payment_outcomes_total',
    help: 'Payments that came to an outcome: settled, foreign, or the reason why not.',
    labelNames: ['network', 'outcome'],
    registers: [registry],
  }),
  open: new Gauge({
    name: 'callboard_payments_open',
    help: 'Payments that are not at their end, by state: in work, or in a block that is not final. All replicas show the same.',
    labelNames: ['network', 'state'],
    registers: [registry],
  }),
  oldestSeconds: new Gauge({
    name: 'callboard_payments_oldest_seconds',
    help: 'Time since the oldest payment of a state was claimed; 0 when there is none. All replicas show the same.',
    labelNames: ['network', 'state'],
    registers: [registry],
  }),
  vanished: new Counter({
    name: 'callboard_payment_blocks_vanished_total',
    help: 'Payments whose block left the chain in a reorganisation.',
    labelNames: ['network'],
    registers: [registry],
  }),
  preconfirmationsVanished: new Counter({
    name: 'callboard_payment_preconfirmations_vanished_total',
    help: 'Payments that were granted on a preconfirmation and whose transaction is in no block by the one after it.',
    labelNames: ['network'],
    registers: [registry],
  }),
  legs: new Histogram({
    name: 'callboard_settlement_legs',
    help: 'Payments that share a settlement transaction.',
    labelNames: ['network'],
    buckets: [1, 2, 5, 10, 20, 50, 100],
    registers: [registry],
  }),
  ownFailures: new Counter({
    name: 'callboard_settlement_own_failures_total',
    help: 'Payments whose transaction failed by no fault of their payer (batch_failed, token_paused) and that are tried again.',
    labelNames: ['network', 'cause'],
    registers: [registry],
  }),
  lensLost: new Counter({
    name: 'callboard_payment_lens_lost_total',
    help: 'Questions that a node did not let the payment lens answer; the payments were asked about one by one.',
    labelNames: ['network'],
    registers: [registry],
  }),
})

const gas = (registry: Registry) => ({
  gas: new Counter({
    name: 'callboard_settlement_gas_total',
    help: 'Gas that settlements burned: settled, or wasted on payments that came to nothing or moved dust.',
    labelNames: ['network', 'use'],
    registers: [registry],
  }),
  gasRefused: new Counter({
    name: 'callboard_gas_budget_refused_total',
    help: 'Payments that were refused because the gas budget of a scope is spent: payer, payee, requester, owner, new_payers, new_contracts, chain.',
    labelNames: ['network', 'scope'],
    registers: [registry],
  }),
  gasUsedRatio: new Gauge({
    name: 'callboard_gas_budget_used_ratio',
    help: 'Share of a chain’s gas budget that was burned within the window, hour or day. All replicas show the same.',
    labelNames: ['network', 'window'],
    registers: [registry],
  }),
})

const lanes = (registry: Registry) => ({
  resent: new Counter({
    name: 'callboard_lane_resent_total',
    help: 'Stored transactions that were handed to a node again.',
    labelNames: ['network'],
    registers: [registry],
  }),
  repriced: new Counter({
    name: 'callboard_lane_repriced_total',
    help: 'Stuck transactions that were replaced by one with higher fees.',
    labelNames: ['network'],
    registers: [registry],
  }),
  laneBalance: new Gauge({
    name: 'callboard_lane_balance_coins',
    help: 'What a signing account holds for gas, in whole native coins.',
    labelNames: ['network', 'lane'],
    registers: [registry],
  }),
  lanesFunded: new Gauge({
    name: 'callboard_lanes_funded',
    help: 'Signing accounts of a network that can pay for a settlement now, its data fee included. All replicas show the same.',
    labelNames: ['network'],
    registers: [registry],
  }),
  laneInFlight: new Gauge({
    name: 'callboard_lane_in_flight',
    help: 'Chain nonces of a signing account whose transactions are signed and in no block. All replicas show the same.',
    labelNames: ['network', 'lane'],
    registers: [registry],
  }),
  laneOldestSeconds: new Gauge({
    name: 'callboard_lane_oldest_seconds',
    help: 'Time since the oldest payment was claimed that waits for a signing account’s transaction; 0 when none does. All replicas show the same.',
    labelNames: ['network', 'lane'],
    registers: [registry],
  }),
})

const signers = (registry: Registry) => ({
  signingSeconds: new Histogram({
    name: 'callboard_signing_duration_seconds',
    help: 'Time that a signature of a settlement took, by account, where its key is (local, aws-kms, gcp-kms, web3signer) and outcome: ok; failed, there was none; wrong, it was made by another key.',
    labelNames: ['lane', 'signer', 'outcome'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  }),
})

const discovery = (registry: Registry) => ({
  resources: new Gauge({
    name: 'callboard_discovery_resources',
    help: 'Resources that settled payments name: listed, not listed, or not probed yet. All replicas show the same.',
    labelNames: ['state'],
    registers: [registry],
  }),
  resourcesOldestDueSeconds: new Gauge({
    name: 'callboard_discovery_oldest_due_seconds',
    help: 'How late the longest due resource is; 0 when none is. All replicas show the same.',
    registers: [registry],
  }),
})
