import { type Comparison, ratioOf } from './figure.ts'
import { number, type Result } from './results.ts'

/** The figures about a payment: `npm run bench -- payment` measures them and prints the table. */
export const PAYMENT_FIGURES = ['paid-call', 'payment-cost', 'settle', 'gateway', 'idle'] as const

interface Row {
  readonly figure: (typeof PAYMENT_FIGURES)[number]
  /** The figure's name for it. */
  readonly what: string
  /** The value before receipts were pushed and statements were pipelined. */
  readonly before: string
}

const ROWS: readonly Row[] = [
  { figure: 'paid-call', what: 'paid call, p50, one agent', before: '23 ms, 1.17 ×' },
  { figure: 'paid-call', what: 'paid call, p95, one agent', before: '227 ms, 0.21 ×' },
  { figure: 'paid-call', what: 'paid calls, one agent', before: '24 /s, 0.71 ×' },
  { figure: 'paid-call', what: 'paid calls, 16 agents at a time', before: '61 /s, 0.64 ×' },
  { figure: 'payment-cost', what: 'CPU of Node, alone, first', before: '14.7 ms, 0.44 ×' },
  { figure: 'payment-cost', what: 'CPU of Postgres, alone, first', before: '6.6 ms' },
  { figure: 'payment-cost', what: 'CPU of Node, 16 at once, first', before: '6 to 10 ms' },
  { figure: 'payment-cost', what: 'settle, p95, 16 at once, first', before: '275 to 1,590 ms' },
  { figure: 'payment-cost', what: 'settle, p50, alone, first', before: '18 ms' },
  { figure: 'payment-cost', what: 'settle, p50, alone, after 20,000 payments', before: '224 ms' },
  { figure: 'settle', what: 'payments settled, one payee', before: '6.1 to 6.7 ×' },
  { figure: 'gateway', what: 'gateway → NATS → service, requests', before: '0.58 ×' },
  { figure: 'idle', what: 'CPU a second, Node and Postgres together', before: '30 to 60 ms' },
  { figure: 'idle', what: 'transactions, the whole instance', before: '28 /s' },
]

const shown = ({ ours, unit, ...rest }: Comparison): string => {
  const ratio = ratioOf({ ours, unit, ...rest })
  return `${number(ours)} ${unit}${ratio === undefined ? '' : `, ${number(ratio)} ×`}`
}

/** A payment's cost and time, then and now, from the stored results. A ratio: how many times better than the peer. */
export function paymentTable(results: readonly Result[]): string {
  const lines = ROWS.map(({ figure, what, before }) => {
    const result = results.find(({ name }) => name === figure)
    const found = result?.comparisons.find((comparison) => comparison.what === what)
    return `| ${what} | ${before} | ${found ? shown(found) : 'not measured'} | ${result && found ? result.date : ''} | \`${figure}\` |`
  })
  return ['| what | on 2026-11-21 | now | measured | figure |', '| --- | --- | --- | --- | --- |', ...lines].join('\n')
}
