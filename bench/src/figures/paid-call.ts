import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { Instance, SOURCE } from '../../../services/all/test/instance.ts'
import type { Comparison, Figure } from '../figure.ts'
import { buyFor, type Calls, payingFetch, quantile } from '../paid-call/buyers.ts'
import { chainOf } from '../paid-call/chain.ts'
import { type Side, type Sides, startSides } from '../paid-call/sides.ts'
import { X402_RS } from '../paid-call/x402-rs.ts'

/** Base units of one call. */
const AMOUNT = 1_000n
/** Agents calling concurrently, each making one call after the other. */
const LOADS = [1, 16] as const
const TURNS = 3
const TURN_MS = 2_500
/** A seller sends from one address, to which the gateway would allow 50 requests a second: 25 paid calls. */
const WIDE = { RATE_LIMITS: JSON.stringify({ facilitator: { burst: 10_000, perMinute: 600_000 } }) }

const PEERS: Readonly<Record<string, { readonly name: string; readonly beside: string }>> = {
  reference: { name: '@x402/evm', beside: '' },
  'x402-rs': { name: X402_RS.name, beside: `, beside ${X402_RS.name}` },
}

const X402_RS_WAITS =
  'x402-rs looks for a receipt every seven seconds, the default of its library, which its configuration cannot change. Its figures show that wait.'

type Chain = ReturnType<typeof chainOf>

/** One turn at a seller, verified by its payee's balance afterwards. */
async function turnAt({ url, payTo }: Side, agents: readonly (typeof fetch)[], chain: Chain): Promise<Calls> {
  const before = await chain.balanceOf(payTo)
  const calls = await buyFor(TURN_MS, agents, url)
  const paid = (await chain.balanceOf(payTo)) - before
  const made = calls.latenciesMs.length
  if (paid !== BigInt(made) * AMOUNT) throw new Error(`${made} calls moved ${paid} base units`)
  return calls
}

/** All sellers in turns; the first turn of each is a warm-up. */
async function inTurns(sellers: Sides['sellers'], agents: readonly (typeof fetch)[], chain: Chain) {
  const runs = new Map<string, Calls[]>([...sellers.keys()].map((name) => [name, []]))
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const [name, side] of sellers) {
      const calls = await turnAt(side, agents, chain)
      if (turn > 0) runs.get(name)?.push(calls)
    }
  }
  return runs
}

const latenciesOf = (runs: readonly Calls[]) => runs.flatMap(({ latenciesMs }) => latenciesMs)

const perSecond = (runs: readonly Calls[]) =>
  (latenciesOf(runs).length * 1_000) / runs.reduce((sum, { wallMs }) => sum + wallMs, 0)

function compare(agents: number, ours: readonly Calls[], peer: string, theirs: readonly Calls[]): Comparison[] {
  const { name, beside } = PEERS[peer] ?? { name: peer, beside: '' }
  const who = `${agents === 1 ? 'one agent' : `${agents} agents at a time`}${beside}`
  const latency = (share: number): Comparison => ({
    what: `paid call, p${share * 100}, ${who}`,
    unit: 'ms',
    better: 'less',
    ours: quantile(latenciesOf(ours), share),
    peer: { name, value: quantile(latenciesOf(theirs), share) },
  })
  const calls = { what: `paid calls, ${who}`, unit: '/s', better: 'more' } as const
  return [latency(0.5), latency(0.95), { ...calls, ours: perSecond(ours), peer: { name, value: perSecond(theirs) } }]
}

export const figure: Figure = {
  title: 'A paid call over HTTP',
  method:
    'An unchanged `@x402/fetch` buys from a stock `@x402/express` route, which verifies and settles over HTTP with one of three: a whole instance of ours through its gateway, the reference facilitator behind the same routes, or `x402-rs` from crates.io. Agents, sellers and facilitators run on one machine with one anvil, which makes a block for every transaction and an empty one ten times a second. Each runs three turns of 2.5 seconds after a warm-up, and the balances of the payees prove the payments.',
  async run() {
    const instance = new Instance(SOURCE)
    let still = () => {}
    let sides: Sides | undefined
    try {
      await instance.start(['--no-demo'], WIDE)
      const { devnet } = instance
      const chain = chainOf(devnet)
      still = chain.beat()
      sides = await startSides(devnet, chain, AMOUNT)
      const comparisons: Comparison[] = []
      for (const count of LOADS) {
        const payers = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))
        for (const { address } of payers) await chain.give(address, 10_000_000n)
        const agents = payers.map((payer) => payingFetch(payer, devnet.network, devnet.usdc.address))
        const { ours = [], ...theirs } = Object.fromEntries(await inTurns(sides.sellers, agents, chain))
        for (const [peer, runs] of Object.entries(theirs)) comparisons.push(...compare(count, ours, peer, runs))
      }
      return {
        versions: {
          ...{ '@x402/fetch': '2.27.0', '@x402/express': '2.27.0', '@x402/evm': '2.27.0', viem: '2.57.1' },
          ...(sides.sellers.has(X402_RS.name) ? { [X402_RS.name]: X402_RS.version } : {}),
        },
        comparisons,
        notes: [
          ...(sides.sellers.has(X402_RS.name) ? [X402_RS_WAITS] : []),
          'Ours goes through the gateway, whose rate limit for one address is widened, and stores every payment in Postgres. Each peer is one process in memory.',
        ],
      }
    } finally {
      still()
      await sides?.stop()
      await instance.dispose()
    }
  },
}
