import { mediaTokens } from './asked/media-tokens.ts'
import { affordableOutput, holdFor, inputBound } from './estimate.ts'
import type { ModelEntry } from './model.ts'
import { type Price, priceOf } from './price.ts'
import type { ModelRequest } from './request.ts'
import type { Surface } from './surface.ts'

/** Bytes per token of prose: a rate takes this estimate, not the upper bound. */
const BYTES_PER_TOKEN = 4
/** Output tokens that the rate assumes if the client set no length; most answers have fewer, and it is corrected. */
const USUAL_OUTPUT_TOKENS = 1_000

/** The bounds of a call's cost and length, before any upstream is asked. */
export interface CallBounds {
  readonly price: Price
  readonly inputTokens: number
  /** The estimated part of its images and files in them. */
  readonly mediaTokens: number
  /** The longest answer of one choice: what the client asked for, or the model's maximum. */
  readonly longest: number
  /** Whether an answer may be shortened to what the remaining money covers. */
  readonly isShortened: boolean
  /** The least that must be held, and the most that the call can cost; nano-USD. */
  readonly least: bigint
  readonly most: bigint
  /** Tokens that are taken from the rate. */
  readonly expectedTokens: number
}

/**
 * A client that sets a length gets it or is refused; one that sets none gets what the money covers, at least one token.
 * @param bytes of the request's body
 */
export function boundsOfCall(surface: Surface, request: ModelRequest, model: ModelEntry, bytes: number): CallBounds {
  const price = priceOf(model.price)
  const { choices, texts, images, maxOutput, longestRead, hasFiles, addedTokens } = request
  const { imageTokens } = model
  const contextTokens = texts * model.contextTokens
  const inputTokens = inputBound(hasFiles ? contextTokens : bytes + addedTokens, images, { contextTokens, imageTokens })
  const longest = surface === 'embeddings' ? 0 : Math.min(maxOutput ?? longestRead, longestRead, model.maxOutputTokens)
  const isShortened = surface !== 'embeddings' && maxOutput === undefined
  const costOf = (output: number) => holdFor({ inputTokens, maxOutput: output, choices, images }, price)
  const usual = isShortened ? Math.min(longest, USUAL_OUTPUT_TOKENS) : longest
  return {
    ...{ price, inputTokens, mediaTokens: mediaTokens(request, model, inputTokens), longest, isShortened },
    least: costOf(isShortened ? 1 : longest),
    most: costOf(longest),
    expectedTokens: Math.ceil(inputTokens / BYTES_PER_TOKEN) + usual * choices,
  }
}

/** The longest answer that a hold covers; the hold is at least the least. */
export function longestFor(held: bigint, bounds: CallBounds, { choices, images }: ModelRequest): number {
  const { price, inputTokens, longest, isShortened } = bounds
  return isShortened ? affordableOutput(held, { inputTokens, choices, images }, price, longest) : longest
}
