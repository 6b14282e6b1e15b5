import type { AroundChainCall } from '@callboard/evm'
import type { Caip2 } from '@callboard/values'

/** How an RPC endpoint is called. */
export interface EndpointSettings {
  readonly url: string
  /** The longest wait for one HTTP answer, body included. */
  readonly timeoutMs: number
  readonly maxResponseBytes: number
  /** Calls per HTTP request; 1 where a provider accepts no batches. */
  readonly batchSize: number
  readonly network: Caip2
  /** Wraps each HTTP request. */
  readonly around: AroundChainCall
}
