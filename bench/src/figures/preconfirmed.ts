import { setTimeout as wait } from 'node:timers/promises'
import { flashblocksProxy } from '@callboard/testkit/servers'
import { until } from '@callboard/testkit/until'
import type { Comparison, Figure } from '../figure.ts'
import { quantile } from '../paid-call/buyers.ts'
import { AMOUNT } from '../settle/payers.ts'
import { type Side, startSide } from '../settle/side.ts'
import { newAddress, openWorld, type World } from '../settle/world.ts'

const BLOCK_TIME_MS = 2_000
const PRECONFIRMATION_MS = 200
const PAYMENTS = { preconfirmed: 200, included: 40 } as const
const WARM_UP = 20
const LIMIT_MS = 350

const facilitator = async (world: World, rpcUrl: string): Promise<Side> =>
  startSide('./ours.ts', {
    DATABASE_URL: world.databaseUrl,
    DEVNET: JSON.stringify({
      rpcUrl,
      chainId: world.devnet.chainId,
      usdc: world.devnet.usdc.address,
      splitterFactory: world.devnet.splitterFactory,
      settlementBatch: world.devnet.settlementBatch,
      blockTimeMs: BLOCK_TIME_MS,
      finality: 'tags',
      preconfirmationMs: PRECONFIRMATION_MS,
      confirmation: { allowed: ['preconfirmed', 'included'] },
    }),
    FACILITATOR_KEYS: (await world.lanes()).join(','),
    BASE_URL: 'https://callboard.example',
    DECODE_PAY_TO: newAddress(),
  })

/** Settles payments one after the other, each at a random phase of its wait, and verifies that all were paid. */
async function latencies(world: World, side: Side, confirmation: keyof typeof PAYMENTS, count: number) {
  const beatMs = confirmation === 'preconfirmed' ? PRECONFIRMATION_MS : BLOCK_TIME_MS
  const payee = newAddress()
  const found: number[] = []
  for (const payment of await world.payments(count, [payee], { confirmation })) {
    await wait(Math.random() * beatMs)
    found.push((await side.settle([payment], 1)).wallMs)
  }
  const paid = BigInt(count) * AMOUNT
  await until('all payments are in blocks', async () => (await world.balanceOf(payee)) === paid)
  return found
}

const compare = (found: Record<'preconfirmed' | 'included', number[]>): Comparison[] =>
  ([0.5, 0.95] as const).flatMap((share): Comparison[] => {
    const about = { unit: 'ms', better: 'less' } as const
    const peer = { name: 'ours, included', value: quantile(found.included, share) }
    const ours = quantile(found.preconfirmed, share)
    const target = share === 0.95 ? { target: { value: LIMIT_MS } } : {}
    return [{ what: `a payment settled, preconfirmed, p${share * 100}`, ...about, ours, peer, ...target }]
  })

export const figure: Figure = {
  title: 'A preconfirmed payment',
  method: `Blocks come every ${BLOCK_TIME_MS / 1_000} s, and a proxy in front of anvil follows the rules of Base’s Flashblocks: it answers \`eth_sendRawTransactionSync\` at the next of its ticks, which are ${PRECONFIRMATION_MS} ms apart, with a receipt of the block that is being built. Payments are settled one after the other, each at any moment between two ticks or two blocks, with verification and every write. The peer is the same facilitator under the policy \`included\`. The balances of the payees prove the payments at the end.`,
  async run() {
    const world = await openWorld({ blockTimeSeconds: BLOCK_TIME_MS / 1_000 })
    const proxy = await flashblocksProxy(world.devnet.rpcUrl, { everyMs: PRECONFIRMATION_MS })
    const side = await facilitator(world, proxy.url)
    try {
      await latencies(world, side, 'preconfirmed', WARM_UP)
      const preconfirmed = await latencies(world, side, 'preconfirmed', PAYMENTS.preconfirmed)
      const included = await latencies(world, side, 'included', PAYMENTS.included)
      const worst = Math.round(Math.max(...preconfirmed))
      return {
        comparisons: compare({ preconfirmed, included }),
        notes: [
          `${PAYMENTS.preconfirmed} payments were preconfirmed, of which the slowest took ${worst} ms, and ${PAYMENTS.included} waited for their block. At the median, half a tick is waiting time, whatever the facilitator does.`,
        ],
      }
    } finally {
      await side.stop()
      await proxy.close()
      await world.close()
    }
  },
}
