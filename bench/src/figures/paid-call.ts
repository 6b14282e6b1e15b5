import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { erc20Abi } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { Instance } from '../../../services/all/test/instance.ts'
import type { Comparison, Figure } from '../figure.ts'
import { buyFor, type Calls, payingFetch, quantile } from '../paid-call/buyers.ts'
import type { SellerSettings } from '../paid-call/seller.ts'
import { BEAT_MS } from '../settle/world.ts'

/** Base units of one call. */
const AMOUNT = 1_000n
/** Agents that call at the same time, each one call after the other. */
const LOADS = [1, 16] as const
const TURNS = 3
const TURN_MS = 2_500
/** A seller asks from one address, which the gateway would allow 50 requests a second: 25 paid calls. */
const WIDE = { RATE_LIMITS: JSON.stringify({ facilitator: { burst: 10_000, perMinute: 600_000 } }) }

const startProcess = (module: string, env: Record<string, string> = {}) =>
  fork(new URL(module, import.meta.url), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

/** The next word of a child. @throws Error when it ends instead */
async function said(child: ChildProcess): Promise<string> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('a process of the figure ended before it answered')
  })
  const [word] = (await Promise.race([once(child, 'message'), ended])) as [string]
  return word
}

/** The instance's chain: money for agents and for the reference facilitator's gas, and what payees hold. */
function chainOf({ rpcUrl, usdc }: Instance['devnet']) {
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  return {
    async give(to: Address, value: bigint) {
      const [bank] = await node.getAddresses()
      if (!bank) throw new Error('anvil has no accounts')
      const transfer = { address: usdc.address, abi: erc20Abi, functionName: 'transfer', args: [to, value] } as const
      await node.writeContract({ account: bank, chain: null, gas: 200_000n, ...transfer })
    },
    /** Makes empty blocks all the time. @returns what ends it */
    beat() {
      const beat = setInterval(() => void node.mine({ blocks: 1 }).catch(() => {}), BEAT_MS)
      return () => clearInterval(beat)
    },
    giveGas: (address: Address) => node.setBalance({ address, value: 10n ** 21n }),
    balanceOf: (account: Address) =>
      node.readContract({ address: usdc.address, abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
  }
}

function compare(agents: number, { ours, reference }: Record<'ours' | 'reference', Calls[]>): Comparison[] {
  const peer = '@x402/evm'
  const latencies = (runs: Calls[]) => runs.flatMap(({ latenciesMs }) => latenciesMs)
  const perSecond = (runs: Calls[]) =>
    (latencies(runs).length * 1_000) / runs.reduce((sum, { wallMs }) => sum + wallMs, 0)
  const who = agents === 1 ? 'one agent' : `${agents} agents at a time`
  const latency = (what: string, share: number): Comparison => ({
    what: `paid call, ${what}, ${who}`,
    unit: 'ms',
    better: 'less',
    ours: quantile(latencies(ours), share),
    peer: { name: peer, value: quantile(latencies(reference), share) },
  })
  return [
    latency('p50', 0.5),
    latency('p95', 0.95),
    {
      what: `paid calls, ${who}`,
      unit: '/s',
      better: 'more',
      ours: perSecond(ours),
      peer: { name: peer, value: perSecond(reference) },
    },
  ]
}

export const figure: Figure = {
  title: 'A paid call over HTTP',
  method:
    'An unchanged `@x402/fetch` buys from a stock `@x402/express` route, which verifies and settles over HTTP: with a whole instance of ours through its gateway, or with the reference facilitator behind the same routes. Agents, sellers and facilitators on one machine and one anvil that makes a block for every transaction, and an empty one ten times a second; three turns of 2.5 seconds each after a warm-up, proven by what the payees hold.',
  async run() {
    const instance = new Instance()
    const children: ChildProcess[] = []
    let still = () => {}
    try {
      await instance.start(['--no-demo'], WIDE)
      const { devnet } = instance
      const chain = chainOf(devnet)
      still = chain.beat()
      const key: Hex = generatePrivateKey()
      await chain.giveGas(privateKeyToAccount(key).address)
      const referenceProcess = startProcess('../paid-call/reference.ts', {
        RPC_URL: devnet.rpcUrl,
        CHAIN_ID: String(devnet.chainId),
        KEY: key,
      })
      children.push(referenceProcess)
      const facilitators = { ours: devnet.facilitatorUrl, reference: await said(referenceProcess) }
      const sell = async (facilitatorUrl: string, payTo: Address) => {
        const seller = startProcess('../paid-call/seller-main.ts')
        children.push(seller)
        const { network, usdc: asset } = devnet
        seller.send({ facilitatorUrl, network, asset, amount: AMOUNT.toString(), payTo } satisfies SellerSettings)
        return { url: await said(seller), payTo }
      }
      const newPayee = () => privateKeyToAccount(generatePrivateKey()).address
      const sellers = {
        ours: await sell(facilitators.ours, newPayee()),
        reference: await sell(facilitators.reference, newPayee()),
      }
      const comparisons: Comparison[] = []
      for (const count of LOADS) {
        const payers = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))
        for (const { address } of payers) await chain.give(address, 10_000_000n)
        const agents = payers.map((payer) => payingFetch(payer, devnet.network, devnet.usdc.address))
        const runs: Record<'ours' | 'reference', Calls[]> = { ours: [], reference: [] }
        for (let turn = 0; turn <= TURNS; turn++) {
          for (const name of ['ours', 'reference'] as const) {
            const { url, payTo } = sellers[name]
            const before = await chain.balanceOf(payTo)
            const calls = await buyFor(TURN_MS, agents, url)
            const paid = (await chain.balanceOf(payTo)) - before
            const made = calls.latenciesMs.length
            if (paid !== BigInt(made) * AMOUNT) throw new Error(`${made} calls moved ${paid} base units`)
            if (turn > 0) runs[name].push(calls)
          }
        }
        comparisons.push(...compare(count, runs))
      }
      return {
        versions: { '@x402/fetch': '2.27.0', '@x402/express': '2.27.0', '@x402/evm': '2.27.0', viem: '2.57.1' },
        comparisons,
        notes: [
          'Ours passes the gateway, whose rate limit for one address is widened, and stores every payment in Postgres; the peer is one process in memory.',
        ],
      }
    } finally {
      still()
      for (const child of children) child.kill()
      await instance.dispose()
    }
  },
}
