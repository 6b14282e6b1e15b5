import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Hex, keccak256, parseTransaction, recoverTransactionAddress, toHex } from 'viem'
import { type Asked, type RpcProxy, rpcProxy } from './rpc-proxy.ts'

/** A proxy that applies the rules of Base's Flashblocks to a real node. */
export interface FlashblocksProxy extends RpcProxy {
  /** How many receipts of unfinished blocks it has given. */
  readonly preconfirmed: number
  /** Whether to drop what it preconfirms, as if its sequencer rebuilt the block without it. Default false. */
  drops: boolean
}

export interface FlashblocksOptions {
  /** The interval between parts of the block being built. */
  readonly everyMs: number
}

/**
 * Answers `eth_sendRawTransactionSync` at the next tick with a receipt of the block being built, and returns that
 * receipt to later requests until the node behind it has mined the transaction. The node is asked for the transaction's
 * effects after earlier ones of the same block. The node must mine at its own interval.
 * @source Base, Flashblocks: `eth_sendRawTransactionSync`, receipts of the `pending` block
 */
export async function flashblocksProxy(nodeUrl: string, { everyMs }: FlashblocksOptions): Promise<FlashblocksProxy> {
  const pending = new PendingBlock(nodeUrl)
  const proxy = Object.assign(await rpcProxy(nodeUrl), { drops: false, preconfirmed: 0 })
  const began = performance.now()
  const tick = () => wait(everyMs - ((performance.now() - began) % everyMs))
  proxy.lie = {
    async http(asked, res) {
      const [one] = asked as (Asked & { id: unknown })[]
      if (one?.method !== 'eth_sendRawTransactionSync') return false
      const raw = one.params[0] as Hex
      if (!proxy.drops) {
        const { error } = await call(nodeUrl, 'eth_sendRawTransaction', [raw])
        if (error) return answer(res, { jsonrpc: '2.0', id: one.id, error })
      }
      const receipt = pending.take(raw)
      await tick()
      proxy.preconfirmed += 1
      return answer(res, { jsonrpc: '2.0', id: one.id, result: await receipt })
    },
    result({ method, params }, result) {
      if (method !== 'eth_getTransactionReceipt' || result !== null) return result
      return proxy.drops ? null : pending.receiptOf(params[0] as Hex)
    },
  }
  return proxy
}

interface Call {
  readonly from: Hex
  readonly to?: Hex | null | undefined
  readonly data?: Hex | undefined
  readonly gas: Hex
}

/** The block being built. */
class PendingBlock {
  readonly #nodeUrl: string
  readonly #receipts = new Map<Hex, unknown>()
  #number = -1
  #calls: Call[] = []

  constructor(nodeUrl: string) {
    this.#nodeUrl = nodeUrl
  }

  receiptOf(hash: Hex): unknown {
    return this.#receipts.get(hash) ?? null
  }

  /** Returns the receipt of a transaction appended to those in the block. */
  async take(raw: Hex): Promise<unknown> {
    const { to, data, gas = 0n } = parseTransaction(raw)
    const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
    const { result: head } = await call(this.#nodeUrl, 'eth_blockNumber', [])
    if (Number(head) + 1 !== this.#number) [this.#number, this.#calls] = [Number(head) + 1, []]
    this.#calls.push({ from, to, data, gas: toHex(gas) })
    const blockStateCalls = [{ calls: [...this.#calls] }]
    const { result, error } = await call(this.#nodeUrl, 'eth_simulateV1', [{ blockStateCalls }, 'latest'])
    if (error) throw new Error(`the node does not simulate: ${JSON.stringify(error)}`)
    const done = (result as { calls: { status: Hex; logs: object[]; gasUsed: Hex }[] }[])[0]?.calls.at(-1)
    const [blockNumber, blockHash, transactionHash] = [toHex(this.#number), toHex(randomBytes(32)), keccak256(raw)]
    const block = { blockNumber, blockHash, transactionHash, transactionIndex: '0x0' }
    const receipt = {
      ...{ ...block, type: '0x2', from, to, contractAddress: null, status: done?.status },
      ...{ gasUsed: done?.gasUsed, cumulativeGasUsed: done?.gasUsed, effectiveGasPrice: '0x1' },
      logs: done?.logs.map((log, index) => ({ ...log, ...block, logIndex: toHex(index), removed: false })),
      logsBloom: `0x${'0'.repeat(512)}`,
    }
    this.#receipts.set(transactionHash, receipt)
    return receipt
  }
}

async function call(url: string, method: string, params: unknown[]): Promise<{ result?: unknown; error?: unknown }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  return (await (await fetch(url, { method: 'POST', headers, body })).json()) as { result?: unknown; error?: unknown }
}

function answer(res: ServerResponse, body: object): true {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  return true
}
