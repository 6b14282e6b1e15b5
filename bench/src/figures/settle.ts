import { availableParallelism } from 'node:os'
import type { Address, Hex } from '@callboard/values'
import { cpuTimeMs } from '../cpu-time.ts'
import type { Comparison, Figure } from '../figure.ts'
import { type Ceiling, measureCeiling } from '../settle/ceiling.ts'
import { AMOUNT } from '../settle/payers.ts'
import { type Side, startSide } from '../settle/side.ts'
import { newAddress, openWorld, type World } from '../settle/world.ts'

/** Concurrent payments, on both sides. */
const AT_ONCE = 250
const TURNS = 4
const PAYMENTS = { ours: 1_000, reference: 100 }

interface Sum {
  payments: number
  wallMs: number
  cpuMicros: number
  /** Of the facilitator, the node, the database and this program together. */
  allCpuMs: number
  transactions: number
  gas: bigint
}

/** Has both facilitators settle in turns, and verifies each turn by the payees' balances. */
async function measure(world: World, sides: { ours: Side; reference: Side }, payees: (count: number) => Address[]) {
  const sums = { ours: noSum(), reference: noSum() }
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const name of ['ours', 'reference'] as const) {
      const count = turn === 0 ? PAYMENTS[name] / 4 : PAYMENTS[name]
      const paid = payees(count)
      const payments = await world.payments(count, paid)
      const before = cpuTimeMs(process.pid)
      const run = await sides[name].settle(payments, AT_ONCE)
      const allCpuMs = cpuTimeMs(process.pid) - before
      await proveOn(world, paid, count)
      if (turn === 0) continue
      sums[name].payments += count
      sums[name].wallMs += run.wallMs
      sums[name].cpuMicros += run.cpuMicros
      sums[name].allCpuMs += allCpuMs
      sums[name].transactions += new Set(run.transactions).size
      sums[name].gas += await world.gasOf(run.transactions)
    }
  }
  return sums
}

const noSum = (): Sum => ({ payments: 0, wallMs: 0, cpuMicros: 0, allCpuMs: 0, transactions: 0, gas: 0n })

async function proveOn(world: World, payees: readonly Address[], count: number): Promise<void> {
  const balances = await Promise.all(payees.map((payee) => world.balanceOf(payee)))
  const paid = balances.reduce((sum, balance) => sum + balance, 0n)
  if (paid !== BigInt(count) * AMOUNT) throw new Error(`${count} payments moved ${paid} base units`)
}

function compare(what: string, { ours, reference }: { ours: Sum; reference: Sum }, ratio: number): Comparison[] {
  const peer = '@x402/evm'
  const perSecond = ({ payments, wallMs }: Sum) => (payments * 1_000) / wallMs
  const cpu = ({ payments, cpuMicros }: Sum) => cpuMicros / payments
  const allCpu = ({ payments, allCpuMs }: Sum) => (allCpuMs * 1_000) / payments
  const gas = ({ payments, gas }: Sum) => Number(gas) / payments
  return [
    {
      what: `payments settled, ${what}`,
      unit: '/s',
      better: 'more',
      ours: perSecond(ours),
      peer: { name: peer, value: perSecond(reference) },
      target: { ratio },
    },
    {
      what: `CPU of the facilitator's process per payment, ${what}`,
      unit: 'µs',
      better: 'less',
      ours: cpu(ours),
      peer: { name: peer, value: cpu(reference) },
    },
    {
      what: `CPU of all processes per payment, ${what}`,
      unit: 'µs',
      better: 'less',
      ours: allCpu(ours),
      peer: { name: peer, value: allCpu(reference) },
    },
    {
      what: `gas per payment, ${what}`,
      unit: 'gas',
      better: 'less',
      ours: gas(ours),
      peer: { name: peer, value: gas(reference) },
    },
  ]
}

/** The machine's limit with a single payee: a process that has the CPU to itself is never idle. */
function bound({ ours, reference }: { ours: Sum; reference: Sum }, { legs, perSecond, cpuMicros }: Ceiling): string {
  const most = (availableParallelism() * 1_000 * ours.payments) / ours.allCpuMs
  const ratio = (most * reference.wallMs) / (reference.payments * 1_000)
  const rate = (ours.payments * 1_000) / ours.wallMs
  const carried = ours.payments / ours.transactions
  return `The node alone, given the same payments in signed batches of ${legs}, takes ${whole(perSecond)} per second, ${(perSecond / rate).toFixed(1)} × what ours settles through it, and uses ${whole(cpuMicros)} µs of its CPU for each. Ours carries ${whole(carried)} payments per transaction. At the CPU cost of all its processes, ${availableParallelism()} cores that are never idle would settle ${whole(most)} per second, ${ratio.toFixed(1)} × the peer.`
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')

/** A single payee without a listing would use up its share of the default budget within a turn. */
const WIDE_BUDGET = { GAS_PER_HOUR: '1000000000000', GAS_PER_DAY: '10000000000000' }

const ours = (world: World, keys: readonly Hex[]): Promise<Side> =>
  startSide('./ours.ts', {
    DATABASE_URL: world.databaseUrl,
    DEVNET: JSON.stringify({
      rpcUrl: world.devnet.rpcUrl,
      chainId: world.devnet.chainId,
      usdc: world.devnet.usdc.address,
      splitterFactory: world.devnet.splitterFactory,
      settlementBatch: world.devnet.settlementBatch,
      blockTimeMs: 250,
    }),
    FACILITATOR_KEYS: keys.join(','),
    BASE_URL: 'https://callboard.example',
    DECODE_PAY_TO: newAddress(),
    ...WIDE_BUDGET,
  })

const reference = (world: World, key: Hex): Promise<Side> =>
  startSide('./reference.ts', {
    RPC_URL: world.devnet.rpcUrl,
    CHAIN_ID: String(world.devnet.chainId),
    KEY: key,
  })

export const figure: Figure = {
  title: 'Settled payments',
  method:
    '50 payers sign payments, 250 of which are in progress at a time, on one anvil that makes a block for every transaction and an empty one ten times a second. Ours is the whole service with its Postgres, called over the bus. The peer is the reference facilitator in memory, with viem’s nonce manager. Each side runs four turns after a warm-up, and the balances of the payees prove every turn.',
  async run() {
    const world = await openWorld()
    const sides: Side[] = []
    try {
      const ourSide = await ours(world, await world.lanes())
      sides.push(ourSide)
      const [key] = await world.lanes()
      if (!key) throw new Error('there is no signing account')
      const referenceSide = await reference(world, key)
      sides.push(referenceSide)
      const both = { ours: ourSide, reference: referenceSide }
      const one = await measure(world, both, () => [newAddress()])
      const [straight] = await world.lanes()
      if (!straight) throw new Error('there is no signing account')
      const ceiling = await measureCeiling(world, straight, await world.payments(PAYMENTS.ours, [newAddress()]))
      const many = await measure(world, both, (count) => Array.from({ length: count }, newAddress))
      return {
        versions: { '@x402/core': '2.27.0', '@x402/evm': '2.27.0', viem: '2.57.1' },
        comparisons: [...compare('one payee', one, 10), ...compare('a new payee each', many, 10)],
        notes: [
          'Both have one process. Ours has four signing accounts and the peer one, because `toFacilitatorEvmSigner` takes one address.',
          bound(one, ceiling),
          'anvil hashes its whole state for every block, including empty ones, so the cost of a block grows with the number of earlier payments. Turns alternate, so both sides meet the same state.',
        ],
      }
    } finally {
      await Promise.all(sides.map((side) => side.stop()))
      await world.close()
    }
  },
}
