import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** What the operator of a facilitator watches beside the usual metrics. A `lane` is the address of a signing account. */
export interface Meters {
  /** Payments that came to an outcome; `settled`, `foreign`, or a reason. */
  readonly outcomes: Counter<'network' | 'outcome'>
  /** Payments between claim and end. */
  readonly open: Gauge<'network' | 'state'>
  readonly oldestSeconds: Gauge<'network' | 'state'>
  /** Settled payments whose block went away. */
  readonly vanished: Counter<'network'>
  readonly resent: Counter<'network'>
  readonly repriced: Counter<'network'>
  /** Payments of each transaction that was signed. */
  readonly legs: Histogram<'network'>
  /** What a signing account holds for gas, in whole coins. */
  readonly laneBalance: Gauge<'network' | 'lane'>
  readonly laneInFlight: Gauge<'network' | 'lane'>
  readonly laneOldestSeconds: Gauge<'network' | 'lane'>
}

export const createMeters = (registry: Registry): Meters => ({ ...payments(registry), ...lanes(registry) })

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
  legs: new Histogram({
    name: 'callboard_settlement_legs',
    help: 'Payments that share a settlement transaction.',
    labelNames: ['network'],
    buckets: [1, 2, 5, 10, 20, 50, 100],
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
