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
    help: 'Payments that reached an outcome: settled, foreign, or the reason for failure.',
    labelNames: ['network', 'outcome'],
    registers: [registry],
  }),
  open: new Gauge({
    name: 'callboard_payments_open',
    help: 'Payments that are not complete, by state: in progress, or in a block that is not final. All replicas show the same.',
    labelNames: ['network', 'state'],
    registers: [registry],
  }),
  oldestSeconds: new Gauge({
    name: 'callboard_payments_oldest_seconds',
    help: 'Time since the oldest payment of a state was claimed; 0 if there is none. All replicas show the same.',
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
    help: 'Payments that were granted on a preconfirmation, but whose transaction is in no block by the one after the promised block.',
    labelNames: ['network'],
    registers: [registry],
  }),
  legs: new Histogram({
    name: 'callboard_settlement_legs',
    help: 'The number of payments that share a settlement transaction.',
    labelNames: ['network'],
    buckets: [1, 2, 5, 10, 20, 50, 100],
    registers: [registry],
  }),
  ownFailures: new Counter({
    name: 'callboard_settlement_own_failures_total',
    help: 'Payments whose transaction failed through no fault of their payer (batch_failed, token_paused) and that are retried.',
    labelNames: ['network', 'cause'],
    registers: [registry],
  }),
  lensLost: new Counter({
    name: 'callboard_payment_lens_lost_total',
    help: 'Queries that a node did not let the payment lens answer; the payments were checked one by one instead.',
    labelNames: ['network'],
    registers: [registry],
  }),
})

const gas = (registry: Registry) => ({
  gas: new Counter({
    name: 'callboard_settlement_gas_total',
    help: 'Gas that settlements used: settled, or wasted on payments that failed or moved dust.',
    labelNames: ['network', 'use'],
    registers: [registry],
  }),
  gasRefused: new Counter({
    name: 'callboard_gas_budget_refused_total',
    help: 'Payments that were refused because the gas budget of a scope is used up: payer, payee, requester, owner, new_payers, new_contracts, chain.',
    labelNames: ['network', 'scope'],
    registers: [registry],
  }),
  gasUsedRatio: new Gauge({
    name: 'callboard_gas_budget_used_ratio',
    help: 'Share of a chain’s gas budget that was used within the window, hour or day. All replicas show the same.',
    labelNames: ['network', 'window'],
    registers: [registry],
  }),
})

const lanes = (registry: Registry) => ({
  resent: new Counter({
    name: 'callboard_lane_resent_total',
    help: 'Stored transactions that were sent to a node again.',
    labelNames: ['network'],
    registers: [registry],
  }),
  repriced: new Counter({
    name: 'callboard_lane_repriced_total',
    help: 'Stuck transactions that were replaced by a transaction with higher fees.',
    labelNames: ['network'],
    registers: [registry],
  }),
  laneBalance: new Gauge({
    name: 'callboard_lane_balance_coins',
    help: 'The gas balance of a signing account, in whole native coins.',
    labelNames: ['network', 'lane'],
    registers: [registry],
  }),
  lanesFunded: new Gauge({
    name: 'callboard_lanes_funded',
    help: 'Signing accounts of a network that can pay for a settlement now, including its data fee. All replicas show the same.',
    labelNames: ['network'],
    registers: [registry],
  }),
  laneInFlight: new Gauge({
    name: 'callboard_lane_in_flight',
    help: 'Chain nonces of a signing account whose transactions are signed but in no block yet. All replicas show the same.',
    labelNames: ['network', 'lane'],
    registers: [registry],
  }),
  laneOldestSeconds: new Gauge({
    name: 'callboard_lane_oldest_seconds',
    help: 'Time since the claim of the oldest payment that waits for a signing account’s transaction; 0 if none waits. All replicas show the same.',
    labelNames: ['network', 'lane'],
    registers: [registry],
  }),
})

const signers = (registry: Registry) => ({
  signingSeconds: new Histogram({
    name: 'callboard_signing_duration_seconds',
    help: 'Time that a settlement signature took, by account, by the location of its key (local, aws-kms, gcp-kms, web3signer) and by outcome: ok; failed, there was no signature; wrong, another key made it.',
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
    help: 'How late the most overdue resource is; 0 if none is due. All replicas show the same.',
    registers: [registry],
  }),
})
