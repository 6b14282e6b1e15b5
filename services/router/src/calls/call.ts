import { isReaderLost, type StreamCall } from '@callboard/bus'
import type { PresentedPayment, RefusalOf, router } from '@callboard/contract'
import type { RouterCallingContext } from '../context.ts'
import type { UpstreamEntry } from '../domain/model.ts'
import type { Price } from '../domain/price.ts'
import type { ModelRequest } from '../domain/request.ts'
import type { Surface } from '../domain/surface.ts'
import type { Translation } from '../translate/translation.ts'

/** A call whose cost is held: the most it may cost, and what its answer is judged by. */
export interface HeldCall {
  readonly id: string
  readonly keyId: string
  /** The hash under which its rates are counted. */
  readonly rateHash: Uint8Array
  readonly surface: Surface
  readonly request: ModelRequest
  /** The request as received, for counting tokens when the upstream reports no usage. */
  readonly body: Readonly<Record<string, unknown>>
  readonly price: Price
  /** The most input tokens that are charged without the upstream's own count. */
  readonly inputTokens: number
  /** The estimated part of its images and files in them. */
  readonly mediaTokens: number
  readonly maxOutput: number
  /** Whether the answer is limited to less than the model's maximum by the money that is left. */
  readonly capped: boolean
  /** Tokens taken from the key's rate per minute. */
  readonly expectedTokens: number
  /** Nano-USD. */
  readonly held: bigint
  /** Headers about the key, sent with every answer. */
  readonly headers: Readonly<Record<string, string>>
}

/** Every refusal that a model call may be answered with. */
export type CallRefusal = RefusalOf<typeof router.createChatCompletion>

/** What it takes to deliver an answer. */
export type Delivering = Pick<StreamCall, 'signal' | 'delivered'>

/** Whether the client went away; a gateway that died is our failure and does not count as leaving. */
export const hasLeft = (signal: AbortSignal): boolean => signal.aborted && !isReaderLost(signal)

/** The context of a call's handler and of the functions that it calls. */
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
  /** Reports that what followed its head is no answer of its API, or ended too early. */
  readonly broke: () => void
  /** Translates the answer back, where the upstream has another shape. */
  readonly translation?: Translation
}
