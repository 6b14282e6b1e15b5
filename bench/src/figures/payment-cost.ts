import type { Comparison, Figure } from '../figure.ts'
import { quantile } from '../paid-call/buyers.ts'
import { AT_ONCE, count } from '../payment-cost/counting.ts'
import { listing } from '../payment-cost/listing.ts'
import { tablesOf } from '../payment-cost/tables.ts'
import { type Look, type Sides, type Times, time } from '../payment-cost/timing.ts'

/** Payments between the first look and the last. */
const LOAD = 20_000
const COUNTED = { warmUp: 160, paced: 20, inRow: 100, atOnce: 320 }
const TRACED = { warmUp: 80, paced: 5, inRow: 20, atOnce: 64 }
const PEER = '@x402/evm'

function latencies(sides: Sides, when: string): Comparison[] {
  const one = (step: 'verify' | 'settle', share: number): Comparison => {
    const of = (name: keyof Sides) => quantile(sides[name][`${step}Ms`], share)
    const what = `${step}, p${share * 100}, ${when}`
    return { what, unit: 'ms', better: 'less', ours: of('ours'), peer: { name: PEER, value: of('reference') } }
  }
  return [one('verify', 0.5), one('verify', 0.95), one('settle', 0.5), one('settle', 0.95)]
}

function cpu(sides: Sides, when: string): Comparison[] {
  const of = (name: keyof Sides, process: 'node' | 'postgres' | 'chain') =>
    sides[name].cpu[process] / sides[name].settleMs.length
  const peer = { name: PEER, value: of('reference', 'node') }
  const whole = of('ours', 'node') + of('ours', 'postgres')
  const shared = { unit: 'ms', better: 'less' } as const
  return [
    { ...shared, what: `CPU of Node and Postgres, ${when}`, ours: whole, peer },
    { ...shared, what: `CPU of Node, ${when}`, ours: of('ours', 'node'), peer },
    { ...shared, what: `CPU of Postgres, ${when}`, ours: of('ours', 'postgres') },
    {
      ...{ ...shared, what: `CPU of anvil, ${when}` },
      ...{ ours: of('ours', 'chain'), peer: { name: PEER, value: of('reference', 'chain') } },
    },
  ]
}

const lookAt = ({ alone, atOnce, blocks }: Look, when: string): Comparison[] => [
  ...latencies(alone, `alone, ${when}`),
  ...cpu(alone, `alone, ${when}`),
  ...latencies(atOnce, `${AT_ONCE} at once, ${when}`),
  ...cpu(atOnce, `${AT_ONCE} at once, ${when}`),
  ...[0.5, 0.95].map(
    (share): Comparison => ({
      ...{ what: `the chain alone, a transaction to its receipt, p${share * 100}, ${when}`, unit: 'ms' },
      ...{ better: 'less', ours: quantile(blocks, share) },
    }),
  ),
]

function notes({ after }: Times): string[] {
  const payments = after.payments.toLocaleString('en-US')
  return [
    `${payments} payments were made in between, ${Math.round(after.perSecond)} a second.`,
    'Counted through proxies on the way to Postgres and to the node, which make it slower; so what is timed runs in an instance of its own without them. What others do in the same span counts as well: the idle rate stands beside it, and nothing is subtracted.',
    'Writes are those to the sockets of Postgres, of the node and of who asks; what wakes a thread of Node is none.',
    'A transaction is what the server ends outside of one: a statement that commits by itself is one.',
    'CPU counts until a second after the last answer; ours has what it does at rest in it, the chain’s CPU on the peer’s side its empty blocks.',
  ]
}

export const figure: Figure = {
  title: 'What a payment costs',
  method:
    'A whole instance with the settings of `npm start`, paid through its gateway: `/x402/verify`, then `/x402/settle`. Counted with proxies before its Postgres and its node; timed without them, in three turns of 60 payments one after the other and 160 payments 16 at once, beside the reference facilitator in memory behind the same routes on the same anvil, which makes a block for every transaction (and an empty one ten times a second while the reference is asked, which waits for blocks).',
  async run({ payments = LOAD, trace = false }) {
    const counts = await count(trace ? TRACED : COUNTED)
    const tables = tablesOf(counts)
    if (trace) {
      console.log(listing(counts.one))
      return { comparisons: [], tables }
    }
    const times = await time(payments)
    const idle = (what: 'node' | 'postgres' | 'chain', name: string): Comparison => ({
      ...{ what: `CPU of ${name} at rest, a second`, unit: 'ms', better: 'less', ours: times.idle[what] },
    })
    return {
      versions: { '@x402/core': '2.27.0', '@x402/evm': '2.27.0', viem: '2.57.1' },
      comparisons: [
        ...lookAt(times.first, 'first'),
        ...lookAt(times.after, `after ${payments.toLocaleString('en-US')} payments`),
        ...[idle('node', 'Node'), idle('postgres', 'Postgres'), idle('chain', 'anvil')],
      ],
      tables,
      notes: notes(times),
    }
  },
}
