import type { Address, Hex } from '@callboard/values'
import type { Comparison, Figure } from '../figure.ts'
import { type Side, startSide } from '../settle/side.ts'
import { AMOUNT, newAddress, openWorld, type World } from '../settle/world.ts'

/** Payments under way at a time, on both sides. */
const AT_ONCE = 250
const TURNS = 4
const PAYMENTS = { ours: 1_000, reference: 100 }

interface Sum {
  payments: number
  wallMs: number
  cpuMicros: number
  gas: bigint
}

/** Has both facilitators settle in turns, and proves each turn by what the payees hold. */
async function measure(world: World, sides: { ours: Side; reference: Side }, payees: (count: number) => Address[]) {
  const sums = { ours: noSum(), reference: noSum() }
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const name of ['ours', 'reference'] as const) {
      const count = turn === 0 ? PAYMENTS[name] / 4 : PAYMENTS[name]
      const paid = payees(count)
      const payments = await world.payments(count, paid)
      const run = await sides[name].settle(payments, AT_ONCE)
      await proveOn(world, paid, count)
      if (turn === 0) continue
      sums[name].payments += count
      sums[name].wallMs += run.wallMs
      sums[name].cpuMicros += run.cpuMicros
      sums[name].gas += await world.gasOf(run.transactions)
    }
  }
  return sums
}

const noSum = (): Sum => ({ payments: 0, wallMs: 0, cpuMicros: 0, gas: 0n })

async function proveOn(world: World, payees: readonly Address[], count: number): Promise<void> {
  const balances = await Promise.all(payees.map((payee) => world.balanceOf(payee)))
  const paid = balances.reduce((sum, balance) => sum + balance, 0n)
  if (paid !== BigInt(count) * AMOUNT) throw new Error(`${count} payments moved ${paid} base units`)
}

function compare(what: string, { ours, reference }: { ours: Sum; reference: Sum }, ratio: number): Comparison[] {
  const peer = '@x402/evm'
  const perSecond = ({ payments, wallMs }: Sum) => (payments * 1_000) / wallMs
  const cpu = ({ payments, cpuMicros }: Sum) => cpuMicros / payments
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
      what: `gas per payment, ${what}`,
      unit: 'gas',
      better: 'less',
      ours: gas(ours),
      peer: { name: peer, value: gas(reference) },
    },
  ]
}

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
    'Signed payments of 50 payers, 250 under way at a time, on one anvil that makes a block for every transaction, and an empty one ten times a second. Ours is the whole service with its Postgres, asked over the bus; the peer is the reference facilitator in memory, with viem’s nonce manager. Four turns each after a warm-up; every turn is proven by what the payees hold.',
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
      const many = await measure(world, both, (count) => Array.from({ length: count }, newAddress))
      return {
        versions: { '@x402/core': '2.27.0', '@x402/evm': '2.27.0', viem: '2.57.1' },
        comparisons: [...compare('one payee', one, 10), ...compare('a new payee each', many, 10)],
        notes: [
          'Both have one process; ours has four signing accounts, the peer one: `toFacilitatorEvmSigner` takes one address.',
        ],
      }
    } finally {
      await Promise.all(sides.map((side) => side.stop()))
      await world.close()
    }
  },
}
