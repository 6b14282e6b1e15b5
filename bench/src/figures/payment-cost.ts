import type { Comparison, Figure } from '../figure.ts'
import { quantile } from '../paid-call/buyers.ts'
import { AT_ONCE, count } from '../payment-cost/counting.ts'
import { listing } from '../payment-cost/listing.ts'
import { tablesOf } from '../payment-cost/tables.ts'
import { type Look, type Sides, type Times, time } from '../payment-cost/timing.ts'

/** Payments between the first measurement and the last. */
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
    `${payments} payments were made between the two measurements, ${Math.round(after.perSecond)} per second.`,
    'Counts come from proxies in front of Postgres and the node, which slow the instance down, so times are taken in a separate instance without them. Other work in the same period counts as well: the idle rate is shown next to it, and nothing is subtracted.',
    'Writes are writes to the sockets of Postgres, of the node and of the client. A write that only wakes a thread of Node is not counted.',
    'A statement that commits on its own, outside a transaction, counts as a transaction.',
    'CPU counts until one second after the last answer. Ours includes its idle work, and the chain’s CPU on the peer’s side includes its empty blocks.',
  ]
}

export const figure: Figure = {
  title: 'What a payment costs',
  method:
    'A whole instance with the settings of `npm start` is paid through its gateway: `/x402/verify`, then `/x402/settle`. Counts come from proxies in front of its Postgres and its node. Times are taken without the proxies, in three turns of 60 payments one after the other and 160 payments 16 at once. The peer is the reference facilitator in memory behind the same routes on the same anvil, which makes a block for every transaction (and an empty one ten times a second while it serves the reference, which waits for blocks).',
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
