import type { Metrics } from '@callboard/runtime'
import { Counter, Gauge } from 'prom-client'

/** What the operator of a facilitator watches beside the usual metrics. */
export interface Meters {
  /** Payments that came to an outcome; `settled`, `foreign`, or a reason. */
  readonly outcomes: Counter<'network' | 'outcome'>
  /** Settled payments whose block went away. */
  readonly vanished: Counter<'network'>
  readonly resent: Counter<'network'>
  readonly repriced: Counter<'network'>
  /** What a signing account holds for gas, in whole coins. */
  readonly laneBalance: Gauge<'network' | 'lane'>
}

export function createMeters({ registry }: Metrics): Meters {
  const registers = [registry]
  return {
    outcomes: new Counter({
      name: 'callboard_payment_outcomes_total',
      help: 'Payments that came to an outcome: settled, foreign, or the reason why not.',
      labelNames: ['network', 'outcome'],
      registers,
    }),
    vanished: new Counter({
      name: 'callboard_payment_blocks_vanished_total',
      help: 'Payments whose block left the chain in a reorganisation.',
      labelNames: ['network'],
      registers,
    }),
    resent: new Counter({
      name: 'callboard_lane_resent_total',
      help: 'Stored transactions that were handed to a node again.',
      labelNames: ['network'],
      registers,
    }),
    repriced: new Counter({
      name: 'callboard_lane_repriced_total',
      help: 'Stuck transactions that were replaced by one with higher fees.',
      labelNames: ['network'],
      registers,
    }),
    laneBalance: new Gauge({
      name: 'callboard_lane_balance_coins',
      help: 'What a signing account holds for gas, in whole native coins.',
      labelNames: ['network', 'lane'],
      registers,
    }),
  }
}
