import type { ServerResponse } from 'node:http'
import { accountOf } from '@callboard/conformance/chain'
import type { Lie, RpcProxy } from '@callboard/testkit/servers'
import { until } from '@callboard/testkit/until'
import { heightOf, rpc } from '../rpc.ts'
import { FINALITY_DEPTH, linesOf, type World } from '../world.ts'
import { type Fault, PATIENCE_MS, seconds } from './fault.ts'

/** Replaces the newest blocks with others that contain none of their transactions. */
async function reorg(world: World, depth: number): Promise<void> {
  // Blocks without transactions would get the same hashes as before.
  const { rpcUrl } = world.devnet
  const { address: from } = accountOf(world.devnet, 8)
  const nothing = { from, to: from, value: '0x1' }
  // No deeper than the blocks made under load: the contracts are in earlier ones.
  await until('the chain is high enough', async () => (await heightOf(rpcUrl)) > world.beganAt + depth, PATIENCE_MS)
  await rpc(rpcUrl, 'anvil_reorg', depth, [[nothing, 0]])
}

const reorgs: Fault[] = [1, 5, 20, FINALITY_DEPTH - 4].map((depth) => ({
  name: `reorganization of depth ${depth}`,
  how: `anvil_reorg with depth ${depth}: the settlements in the replaced blocks are gone from the chain`,
  mustHold: 'lost settlements are reverted everywhere, sent again, and settled once',
  async inject(world) {
    await reorg(world, depth)
    await seconds(2)
  },
}))

/**
 * Lies for a number of seconds, then answers truthfully again.
 * @throws Error when the node was asked for nothing that it lies about: no fault happened then
 */
export async function lying(chain: Pick<RpcProxy, 'lie'>, { http, result }: Lie, forSeconds = 5): Promise<void> {
  let told = 0
  chain.lie = {
    async http(asked, res) {
      const isAnswered = (await http?.(asked, res)) === true
      if (isAnswered) told += 1
      return isAnswered
    },
    async result(asked, real) {
      const said = result ? await result(asked, real) : real
      if (said !== real) told += 1
      return said
    },
  }
  await seconds(forSeconds)
  chain.lie = {}
  if (told === 0) throw new Error('The node was asked for nothing that it lies about')
}

const answering = (status: number, type: string, body: string): Lie => ({
  http(_asked, res: ServerResponse) {
    res.writeHead(status, { 'content-type': type }).end(body)
    return true
  },
})

const RECEIPTS = new Set(['eth_getTransactionReceipt', 'eth_getBlockReceipts', 'eth_sendRawTransactionSync'])

const lies: Fault[] = [
  {
    name: 'node stalled',
    how: 'SIGSTOP to the node for ten seconds',
    mustHold: 'an unknown outcome is answered as unknown; nothing is sent twice',
    async inject({ cluster }) {
      cluster.chain.pause()
      await seconds(10)
      cluster.chain.resume()
    },
  },
  {
    name: 'node answers an old block',
    how: 'the node reports a tip that is 30 blocks behind, for five seconds',
    mustHold: 'a lagging node is not mistaken for a reorganization',
    async inject(world) {
      const old = `0x${Math.max(0, (await heightOf(world.devnet.rpcUrl)) - 30).toString(16)}`
      const block = await rpc(world.devnet.rpcUrl, 'eth_getBlockByNumber', old, false)
      await lying(linesOf(world).chain, {
        result: ({ method, params }, real) => {
          if (method === 'eth_blockNumber') return old
          if (method === 'eth_getBlockByNumber' && params[0] === 'latest' && params[1] === false) return block
          return real
        },
      })
    },
  },
  {
    name: 'node answers empty logs',
    how: 'eth_getLogs answers [] for five seconds',
    mustHold: 'blocks whose bloom filter indicates settlements are not skipped',
    inject: (world) =>
      lying(linesOf(world).chain, { result: ({ method }, real) => (method === 'eth_getLogs' ? [] : real) }),
  },
  {
    name: 'node answers 429',
    how: 'the node answers every request with HTTP 429 for five seconds',
    mustHold: 'settlement and indexing wait, then continue',
    inject: (world) => lying(linesOf(world).chain, answering(429, 'text/plain', 'slow down')),
  },
  {
    name: 'node answers HTML',
    how: 'the node answers HTTP 200 with a page instead of JSON for five seconds',
    mustHold: 'settlement and indexing wait, then continue',
    inject: (world) => lying(linesOf(world).chain, answering(200, 'text/html', '<html>maintenance</html>')),
  },
  {
    name: 'receipts lost',
    how: 'the node returns no receipt for five seconds, whatever is mined',
    mustHold: 'payments stay unknown, are looked up again, and are settled once',
    inject: (world) =>
      lying(linesOf(world).chain, { result: ({ method }, real) => (RECEIPTS.has(method) ? null : real) }),
  },
  {
    name: 'transactions dropped',
    how: 'for five seconds the node accepts transactions, confirms that it did, and drops them',
    mustHold:
      'the same signed transactions are sent again; no authorization is signed into two chain nonces that both land',
    inject: (world) =>
      lying(linesOf(world).chain, {
        async http(asked, res) {
          if (!asked.every(({ method }) => method.startsWith('eth_sendRawTransaction'))) return false
          const { keccak256 } = await import('viem')
          const answers = (asked as readonly { id?: unknown; method: string; params: readonly unknown[] }[]).map(
            ({ id, method, params }) => ({
              jsonrpc: '2.0',
              id,
              ...(method === 'eth_sendRawTransactionSync'
                ? { error: { code: 4, message: 'the transaction was taken and is in no block' } }
                : { result: keccak256(params[0] as `0x${string}`) }),
            }),
          )
          res.writeHead(200, { 'content-type': 'application/json' })
          res.end(JSON.stringify(answers.length === 1 ? answers[0] : answers))
          return true
        },
      }),
  },
]

export const chain: readonly Fault[] = [...reorgs, ...lies]
