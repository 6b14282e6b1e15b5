import type { Row } from '../panels.ts'
import { perSecond } from '../promql.ts'

export const payments: Row = {
  title: 'Payments',
  panels: [
    {
      title: 'Outcomes',
      description: 'Payments that came to an outcome per second: settled, foreign, or the reason why not.',
      unit: 'cps',
      queries: [
        { expr: perSecond('callboard_payment_outcomes_total', 'network, outcome'), legend: '{{network}} {{outcome}}' },
      ],
    },
    {
      title: 'Not at their end',
      description: 'Payments by state. preconfirmed waits for its block; mined, safe and reverted wait for finality.',
      unit: 'short',
      queries: [{ expr: 'max by (network, state) (callboard_payments_open)', legend: '{{network}} {{state}}' }],
    },
    {
      title: 'Oldest by state',
      description: 'Time since the oldest payment of a state was claimed.',
      unit: 's',
      queries: [
        { expr: 'max by (network, state) (callboard_payments_oldest_seconds)', legend: '{{network}} {{state}}' },
      ],
    },
    {
      title: 'Payments per transaction',
      description: 'Mean of the payments that share a settlement transaction.',
      unit: 'short',
      queries: [
        {
          expr: `${perSecond('callboard_settlement_legs_sum', 'network')} / ${perSecond('callboard_settlement_legs_count', 'network')}`,
          legend: '{{network}}',
        },
      ],
    },
    {
      title: 'Gas budgets',
      description: 'Share of each chain’s gas budget that was burned within an hour and a day.',
      unit: 'percentunit',
      queries: [
        { expr: 'max by (network, window) (callboard_gas_budget_used_ratio)', legend: '{{network}} {{window}}' },
      ],
    },
    {
      title: 'Gas burned',
      description: 'Gas per second, and payments per second that were refused because a gas budget is spent.',
      unit: 'short',
      queries: [
        { expr: perSecond('callboard_settlement_gas_total', 'network, use'), legend: '{{network}} {{use}}' },
        {
          expr: perSecond('callboard_gas_budget_refused_total', 'network, scope'),
          legend: '{{network}} refused: {{scope}}',
        },
      ],
    },
    {
      title: 'Gas of the signing accounts',
      description: 'What each lane holds, in whole coins of its chain.',
      unit: 'short',
      queries: [{ expr: 'min by (network, lane) (callboard_lane_balance_coins)', legend: '{{network}} {{lane}}' }],
    },
    {
      title: 'Transactions on their way',
      description: 'Chain nonces of each lane that are in no block yet.',
      unit: 'short',
      queries: [{ expr: 'max by (network, lane) (callboard_lane_in_flight)', legend: '{{network}} {{lane}}' }],
    },
    {
      title: 'Longest wait of a lane',
      description: 'Time since the oldest payment was claimed that waits for a transaction of the lane.',
      unit: 's',
      queries: [{ expr: 'max by (network, lane) (callboard_lane_oldest_seconds)', legend: '{{network}} {{lane}}' }],
    },
    {
      title: 'Sent again, repriced, lost to a reorganisation or a broken preconfirmation',
      description: 'Per second. Each is dealt with by itself; many are a sign of a bad node or of fees that rise.',
      unit: 'cps',
      queries: [
        { expr: perSecond('callboard_lane_resent_total', 'network'), legend: '{{network}} sent again' },
        { expr: perSecond('callboard_lane_repriced_total', 'network'), legend: '{{network}} repriced' },
        { expr: perSecond('callboard_payment_blocks_vanished_total', 'network'), legend: '{{network}} block gone' },
        {
          expr: perSecond('callboard_payment_preconfirmations_vanished_total', 'network'),
          legend: '{{network}} preconfirmation gone',
        },
      ],
    },
  ],
}
