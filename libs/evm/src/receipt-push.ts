import type { Hex } from '@callboard/values'
import {
  type EIP1193RequestFn,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  type RpcTransactionReceipt,
} from 'viem'
import { isAnswer } from './answers.ts'

/** How an RPC endpoint takes transactions. `endpoint` holds no key. */
export interface PushState {
  readonly network: string
  readonly endpoint: string
  /** True where it answers a transaction with its receipt, false where the receipt has to be asked for. */
  readonly pushes: boolean
}

/** An endpoint that does not know the method is tried with it again after so long. */
const ASK_AGAIN_MS = 600_000

/** The node took the transaction, and no block did in the time that it gives itself. */
const TIMED_OUT = 4

/**
 * Hands transactions to one endpoint by `eth_sendRawTransactionSync`, and by `eth_sendRawTransaction` where it refuses
 * that: it does not know the method, or would not wait for a transaction whose predecessor is on its way.
 * No time is given along: nodes differ in how they read one.
 * @source EIP-7966
 */
export class ReceiptPush {
  readonly #endpoint: Pick<PushState, 'network' | 'endpoint'>
  readonly #onChange: (state: PushState) => void
  #pushes: boolean | undefined
  #askAgainAt = 0

  /** @param onChange gets what the endpoint is found to do, and each change */
  constructor(endpoint: Pick<PushState, 'network' | 'endpoint'>, onChange: (state: PushState) => void = () => {}) {
    this.#endpoint = endpoint
    this.#onChange = onChange
  }

  /**
   * @returns the receipt, or null where the node took the transaction and says no more of it
   * @throws what the node answers to a transaction that it does not take
   */
  async submit(request: EIP1193RequestFn, raw: Hex): Promise<RpcTransactionReceipt | null> {
    if (performance.now() >= this.#askAgainAt) {
      try {
        const receipt = (await request({
          method: 'eth_sendRawTransactionSync',
          params: [raw],
        })) as RpcTransactionReceipt
        this.#become(true)
        return receipt
      } catch (error) {
        if (!isAnswer(error)) throw error
        this.#become(!isUnknownMethod(error))
        if ('code' in error && error.code === TIMED_OUT) return null
      }
    }
    await request({ method: 'eth_sendRawTransaction', params: [raw] })
    return null
  }

  #become(pushes: boolean): void {
    if (!pushes) this.#askAgainAt = performance.now() + ASK_AGAIN_MS
    if (this.#pushes === pushes) return
    this.#pushes = pushes
    this.#onChange({ ...this.#endpoint, pushes })
  }
}

const isUnknownMethod = (error: Error) =>
  error instanceof MethodNotFoundRpcError || error instanceof MethodNotSupportedRpcError
