import type { Hex } from '@callboard/values'
import {
  type EIP1193RequestFn,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  type RpcTransactionReceipt,
} from 'viem'
import { isAnswer } from '../answers.ts'
import { HeadSubscription } from './head-subscription.ts'

/**
 * How an RPC endpoint reports a submitted transaction: `sync` it answers with the receipt · `heads` it pushes new
 * heads, at which receipts are requested · `poll` receipts are requested at a fixed interval.
 */
export const RECEIPT_WAYS = ['sync', 'heads', 'poll'] as const
export type ReceiptWay = (typeof RECEIPT_WAYS)[number]

/** How an RPC endpoint reports transactions. `endpoint` contains no key. */
export interface PushState {
  readonly network: string
  readonly endpoint: string
  readonly way: ReceiptWay
}

/** Receives what is learned of an endpoint. */
export interface PushListener {
  /** Receives the way found for the endpoint, and each change. */
  readonly onChange?: ((state: PushState) => void) | undefined
  /** Called when there is reason to ask for receipts. */
  readonly onHead?: () => void
}

/** An endpoint that does not know the method is tried with it again after this time. */
const ASK_AGAIN_MS = 600_000

/** The node accepted the transaction, but no block included it within the node's own time limit. */
const TIMED_OUT = 4

/**
 * Submits transactions to one endpoint by `eth_sendRawTransactionSync`, and by `eth_sendRawTransaction` where it
 * refuses that: it does not know the method, or would not wait for a transaction whose predecessor is on its way. No
 * timeout is passed: nodes interpret it differently. If an endpoint does not know the method, its new heads are
 * subscribed to, from its first transaction on.
 * @source EIP-7966
 */
export class ReceiptPush {
  readonly #endpoint: Pick<PushState, 'network' | 'endpoint'>
  readonly #url: string
  readonly #listener: PushListener
  #way: ReceiptWay | undefined
  #heads: HeadSubscription | undefined
  #askAgainAt = 0

  constructor(endpoint: Pick<PushState, 'network' | 'endpoint'>, url: string, listener: PushListener = {}) {
    this.#endpoint = endpoint
    this.#url = url
    this.#listener = listener
  }

  /**
   * @returns the receipt, or null where the node accepted the transaction and reports no more of it
   * @throws the node's error for a transaction that it does not accept
   */
  async submit(request: EIP1193RequestFn, raw: Hex): Promise<RpcTransactionReceipt | null> {
    if (performance.now() >= this.#askAgainAt) {
      try {
        const receipt = (await request({
          method: 'eth_sendRawTransactionSync',
          params: [raw],
        })) as RpcTransactionReceipt
        this.#pushes()
        return receipt
      } catch (error) {
        if (!isAnswer(error)) throw error
        if (isUnknownMethod(error)) this.#lacksMethod()
        else this.#pushes()
        if ('code' in error && error.code === TIMED_OUT) return null
      }
    }
    await request({ method: 'eth_sendRawTransaction', params: [raw] })
    return null
  }

  /** Ends the subscription. */
  close(): void {
    this.#heads?.stop()
    this.#heads = undefined
  }

  #pushes(): void {
    this.close()
    this.#become('sync')
  }

  #lacksMethod(): void {
    this.#askAgainAt = performance.now() + ASK_AGAIN_MS
    if (this.#heads) return
    const heads = new HeadSubscription(this.#url, () => {
      if (heads === this.#heads) this.#become(heads.isHeld ? 'heads' : 'poll')
      this.#listener.onHead?.()
    })
    this.#heads = heads
    this.#become('poll')
    heads.start()
  }

  #become(way: ReceiptWay): void {
    if (this.#way === way) return
    this.#way = way
    this.#listener.onChange?.({ ...this.#endpoint, way })
  }
}

const isUnknownMethod = (error: Error) =>
  error instanceof MethodNotFoundRpcError || error instanceof MethodNotSupportedRpcError
