import { perSecond, quantile } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'
import { processesOf } from './processes.ts'

const OPERATION = 'callboard_operation_duration_seconds'
const PAYING = 'operation=~"x402-facilitator[.](verify|settle|purchase)"'

export const payments: Dashboard = {
  name: 'payments',
  title: 'Payments',
  description: 'Payments from their claim to finality, and the accounts that sign for them.',
  rows: [
    {
      title: 'Payments',
      panels: [
        {
          title: 'Calls to verify and to settle',
          description: 'Calls that the facilitator took per second, by outcome.',
          unit: 'reqps',
          alert: 'PaymentsErrorBudgetBurn',
          queries: [
            {
              expr: perSecond(`${OPERATION}_count{${PAYING}}`, 'operation, outcome'),
              legend: '{{operation}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Time to settle',
          description: 'From the call to its outcome: median, 95th and 99th percentile.',
          unit: 's',
          alert: 'SettlementTimeBudgetBurn',
          queries: [0.5, 0.95, 0.99].map((share) => ({
            expr: quantile(share, OPERATION, '', 'operation="x402-facilitator.settle"'),
            legend: `p${share * 100}`,
          })),
        },
        {
          title: 'Outcomes',
          description: 'Payments per second that reached an outcome: settled, foreign, or the reason for failure.',
          unit: 'cps',
          queries: [
            {
              expr: perSecond('callboard_payment_outcomes_total', 'network, outcome'),
              legend: '{{network}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Not at their end',
          description:
            'Payments by state: preconfirmed waits for its block, mined and safe wait for finality, and reverted waits for the end of its authorization.',
          unit: 'short',
          alert: 'PaymentsUnresolved',
          queries: [{ expr: 'max by (network, state) (callboard_payments_open)', legend: '{{network}} {{state}}' }],
        },
        {
          title: 'Oldest by state',
          description: 'Time since the oldest payment of a state was claimed.',
          unit: 's',
          alert: 'PaymentsUnresolved',
          queries: [
            { expr: 'max by (network, state) (callboard_payments_oldest_seconds)', legend: '{{network}} {{state}}' },
          ],
        },
        {
          title: 'Payments per transaction',
          description: 'The mean number of payments that share a settlement transaction.',
          unit: 'short',
          queries: [
            {
              expr: `${perSecond('callboard_settlement_legs_sum', 'network')} / ${perSecond('callboard_settlement_legs_count', 'network')}`,
              legend: '{{network}}',
            },
          ],
        },
        {
          title: 'Failures by our fault',
          description:
            'Payments per second whose transaction failed through no fault of their payer, and queries that the payment lens lost.',
          unit: 'cps',
          alert: 'SettlementsFailByUs',
          queries: [
            {
              expr: perSecond('callboard_settlement_own_failures_total', 'network, cause'),
              legend: '{{network}} {{cause}}',
            },
            { expr: perSecond('callboard_payment_lens_lost_total', 'network'), legend: '{{network}} lens lost' },
          ],
        },
        {
          title: 'Silence',
          description:
            'How long a service’s calls have gone unanswered. It grows while a call hangs; the two panels above show that call only when it ends.',
          unit: 's',
          alert: 'ChainSilent',
          queries: [
            { expr: 'max by (service, network) (callboard_chain_silent_seconds)', legend: '{{network}} {{service}}' },
          ],
        },
        {
          title: 'Sent again, repriced, lost to a reorganisation or a broken preconfirmation',
          description: 'Events per second. Each is handled automatically; many indicate a bad node or rising fees.',
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
    },
    {
      title: 'Gas and signing accounts',
      panels: [
        {
          title: 'Gas budgets',
          description: 'Share of each chain’s gas budget that was used within an hour and within a day.',
          unit: 'percentunit',
          alert: 'GasBudgetSpent',
          queries: [
            { expr: 'max by (network, window) (callboard_gas_budget_used_ratio)', legend: '{{network}} {{window}}' },
          ],
        },
        {
          title: 'Gas burned',
          description: 'Gas per second, and payments per second that were refused because a gas budget is used up.',
          unit: 'short',
          alert: 'GasWasted',
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
          description: 'The balance of each lane, in whole coins of its chain.',
          unit: 'short',
          alert: 'SignerGasLow',
          queries: [{ expr: 'min by (network, lane) (callboard_lane_balance_coins)', legend: '{{network}} {{lane}}' }],
        },
        {
          title: 'Accounts that can pay',
          description: 'Signing accounts of a network that can pay for a settlement now.',
          unit: 'short',
          alert: 'SignersWithoutGas',
          queries: [{ expr: 'max by (network) (callboard_lanes_funded)', legend: '{{network}}' }],
        },
        {
          title: 'Transactions on their way',
          description: 'Chain nonces of each lane that are in no block yet.',
          unit: 'short',
          queries: [{ expr: 'max by (network, lane) (callboard_lane_in_flight)', legend: '{{network}} {{lane}}' }],
        },
        {
          title: 'Longest wait of a lane',
          description: 'Time since the claim of the oldest payment that waits for a transaction of the lane.',
          unit: 's',
          queries: [{ expr: 'max by (network, lane) (callboard_lane_oldest_seconds)', legend: '{{network}} {{lane}}' }],
        },
      ],
    },
    processesOf('x402-facilitator'),
  ],
}
