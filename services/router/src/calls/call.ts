import { isReaderLost, type StreamCall } from '@callboard/bus'
import type { PresentedPayment, RefusalOf, router } from '@callboard/contract'
import type { RouterCallingContext } from '../context.ts'
import type { UpstreamEntry } from '../domain/model.ts'
import type { Price } from '../domain/price.ts'
import type { ModelRequest } from '../domain/request.ts'
import type { Surface } from '../domain/surface.ts'
import type { Translation } from '../translate/translation.ts'

/** A call whose cost is held: what it may cost, and what its answer is judged by. */
export interface HeldCall {
  readonly id: string
  readonly keyId: string
  /** What its rates are counted under. */
  readonly rateHash: Uint8Array
  readonly surface: Surface
  readonly request: ModelRequest
  /** The request as it came, to be counted where its upstream counts nothing. */
  readonly body: Readonly<Record<string, unknown>>
  readonly price: Price
  /** No more than these input tokens are paid for without the upstream's own count. */
  readonly inputTokens: number
  readonly maxOutput: number
  /** Whether the answer is shorter than the model could make it, because of what is left. */
  readonly capped: boolean
  /** What was taken from the key's tokens of a minute. */
  readonly expectedTokens: number
  /** Nano-USD. */
  readonly held: bigint
  /** What the head of the answer says of the key. */
  readonly headers: Readonly<Record<string, string>>
}

/** Every "no" that a model call may be answered with. */
export type CallRefusal = RefusalOf<typeof router.createChatCompletion>

/** What an answer is given on with. */
export type Delivering = Pick<StreamCall, 'signal' | 'delivered'>

/** Whether the client went away; a gateway that died is our failure, and no leaving. */
export const hasLeft = (signal: AbortSignal): boolean => signal.aborted && !isReaderLost(signal)

/** What a call's handler has, and its parts. */
export type CallContext = RouterCallingContext &
  Delivering & {
    readonly payment?: PresentedPayment | undefined
  }

/** An upstream that took the call. */
export interface Answering {
  readonly upstream: UpstreamEntry
  readonly status: number
  readonly contentType: string
  readonly body: AsyncIterable<Uint8Array> & { destroy(): unknown }
  /** What the answer is put back with where the upstream has another shape. */
  readonly translation?: Translation
}
