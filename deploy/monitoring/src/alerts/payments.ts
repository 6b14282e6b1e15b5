import { alert, everywhere, type Group, HOLD, held } from './alert.ts'

const FACILITATOR = 'x402-facilitator'
const UNRESOLVED = 'callboard_payments_oldest_seconds{state=~"claimed|verified|signed|broadcast|preconfirmed"}'
const BALANCE = 'callboard_lane_balance_coins'
/** Arc's native coin is USDC. */
const ARC = 'eip155:5042'
const GAS = 'callboard_settlement_gas_total'

export const payments: Group = {
  name: 'payments',
  alerts: [
    alert({
      name: 'PaymentsUnresolved',
      severity: 'critical',
      parameters: { for: '2m', ageSeconds: 300, hold: HOLD },
      expr: ({ ageSeconds, hold }) => `${held(UNRESOLVED, { of: 'max', by: 'network', hold })} > ${ageSeconds}`,
      summary: 'Payments on {{ $labels.network }} have no outcome',
      description:
        'The oldest payment was claimed {{ $value | humanizeDuration }} ago and has neither settled nor failed.',
      sight: everywhere('callboard_payments_oldest_seconds', FACILITATOR),
    }),
    // Before anonymous payments stop, at 70 % of the chain's budget by default; or when a budget shared by all new
    // payers is spent, which no single payer can do.
    alert({
      name: 'GasBudgetSpent',
      severity: 'critical',
      parameters: { for: '2m', share: 0.6, window: '10m', hold: HOLD },
      expr: ({
        share,
        window,
        hold,
      }) => `${held('callboard_gas_budget_used_ratio', { of: 'max', by: 'network', hold })} > ${share}
or
sum by (network) (rate(callboard_gas_budget_refused_total{scope=~"chain|new_payers|new_contracts"}[${window}])) > 0`,
      summary: 'Settlements on {{ $labels.network }} are using up their gas budget',
      description: 'Payments are refused, or soon will be, until part of the budget is free again.',
      sight: everywhere('callboard_gas_budget_used_ratio', FACILITATOR),
    }),
    // An exhausted budget of one payer, payee, requester or key holder affects only that one; many are an attack.
    alert({
      name: 'GasWasted',
      severity: 'warning',
      parameters: { for: '10m', window: '1h', share: 0.2, gasPerSecond: 500 },
      expr: ({ window, share, gasPerSecond }) => `sum by (network) (rate(${GAS}{use="wasted"}[${window}]))
  / sum by (network) (rate(${GAS}[${window}])) > ${share}
and
sum by (network) (rate(${GAS}{use="wasted"}[${window}])) > ${gasPerSecond}`,
      summary: 'Much of the gas on {{ $labels.network }} is wasted',
      description:
        '{{ $value | humanizePercentage }} of the gas of an hour was spent on payments that failed or moved dust.',
    }),
    // A minimum in coins, or one day left at the pace of the last six hours.
    alert({
      name: 'SignerGasLow',
      severity: 'critical',
      parameters: { for: '5m', coins: 0.005, coinsOnArc: 5, paceWindow: '6h', aheadSeconds: 86_400, hold: HOLD },
      expr: (p) => {
        const balance = (matcher: string) =>
          held(`${BALANCE}{${matcher}}`, { of: 'min', by: 'network, lane', hold: p.hold })
        // The pace of the account, not of each process: one that ended an hour ago knows of no coins that came since.
        const account = `min by (network, lane) (${BALANCE})`
        return `${balance(`network!="${ARC}"`)} < ${p.coins}
or
${balance(`network="${ARC}"`)} < ${p.coinsOnArc}
or
predict_linear((${account})[${p.paceWindow}:1m], ${p.aheadSeconds}) < 0 and ${held(BALANCE, { of: 'min', by: 'network, lane', hold: p.hold })}`
      },
      summary: 'A signing account on {{ $labels.network }} is running out of gas',
      description: '{{ $labels.lane }} must be topped up; without gas, its payments stop.',
      sight: everywhere(BALANCE, FACILITATOR),
    }),
    // An account pays gas and, on an OP Stack chain, the data fee: a balance above the minimum may not suffice.
    alert({
      name: 'SignersWithoutGas',
      severity: 'critical',
      parameters: { for: '1m', hold: HOLD },
      expr: ({ hold }) => `${held('callboard_lanes_funded', { of: 'max', by: 'network', hold })} == 0`,
      summary: 'Nothing is settled on {{ $labels.network }}',
      description: 'No signing account can pay for a settlement; every payment is answered with 503.',
      sight: everywhere('callboard_lanes_funded', FACILITATOR),
    }),
    alert({
      name: 'SettlementsFailByUs',
      severity: 'warning',
      parameters: { for: '0s', window: '15m' },
      expr: ({ window }) =>
        `sum by (network, cause) (increase(callboard_settlement_own_failures_total[${window}])) > 0`,
      summary: 'Settlements on {{ $labels.network }} fail through no fault of their payers',
      description: 'Cause: {{ $labels.cause }}. The payments are retried one by one, and the gas is lost.',
    }),
    // One late signature is taken over by the next account; repeated ones cost their payments the wait.
    alert({
      name: 'SignerFailing',
      severity: 'warning',
      parameters: { for: '0s', window: '10m', signatures: 2 },
      expr: ({ window, signatures }) =>
        `sum by (lane, signer) (increase(callboard_signing_duration_seconds_count{outcome!="ok"}[${window}])) > ${signatures}`,
      summary: 'The signer of {{ $labels.lane }} fails',
      description:
        '{{ $labels.signer }} gave no signature, or one by another key, {{ $value | humanize }} times; meanwhile other accounts settle, if there are any.',
    }),
    alert({
      name: 'PaymentLensLost',
      severity: 'warning',
      parameters: { for: '10m', window: '10m' },
      expr: ({ window }) => `sum by (network) (rate(callboard_payment_lens_lost_total[${window}])) > 0`,
      summary: 'Payments on {{ $labels.network }} are verified one by one',
      description: 'The node does not run the payment lens; each payment costs several extra requests.',
    }),
  ],
}
