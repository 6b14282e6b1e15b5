import { affordableOutput, holdFor, inputBound } from './estimate.ts'
import type { ModelEntry } from './model.ts'
import { type Price, priceOf } from './price.ts'
import type { ModelRequest } from './request.ts'
import type { Surface } from './surface.ts'

/** Bytes of a token in prose, so that a rate is not spent on what nobody says. */
const BYTES_PER_TOKEN = 4
/** What the rate takes an answer to have where its client asked for no length; most have less, and it is corrected. */
const USUAL_OUTPUT_TOKENS = 1_000

/** What a call can come to, before anybody is asked. */
export interface CallBounds {
  readonly price: Price
  readonly inputTokens: number
  /** The longest answer of one choice: what the client asked for, or what the model can make. */
  readonly longest: number
  /** Whether an answer may be shorter than the longest, because of what is left. */
  readonly isShortened: boolean
  /** The least that has to be held, and the most that it can cost; nano-USD. */
  readonly least: bigint
  readonly most: bigint
  /** What the rate of tokens is taken by. */
  readonly expectedTokens: number
}

/**
 * Who asked for a length gets it or is refused; who asked for none gets what the money affords, or is refused one token.
 * @param bytes of the request's body
 */
export function boundsOfCall(surface: Surface, request: ModelRequest, model: ModelEntry, bytes: number): CallBounds {
  const price = priceOf(model.price)
  const { choices, images, maxOutput, hasFiles, addedTokens } = request
  const inputTokens = inputBound(hasFiles ? model.contextTokens : bytes + addedTokens, images, model)
  const longest = surface === 'embeddings' ? 0 : Math.min(maxOutput ?? model.maxOutputTokens, model.maxOutputTokens)
  const isShortened = surface !== 'embeddings' && maxOutput === undefined
  const costOf = (output: number) => holdFor({ inputTokens, maxOutput: output, choices, images }, price)
  const usual = isShortened ? Math.min(longest, USUAL_OUTPUT_TOKENS) : longest
  return {
    ...{ price, inputTokens, longest, isShortened },
    least: costOf(isShortened ? 1 : longest),
    most: costOf(longest),
    expectedTokens: Math.ceil(inputTokens / BYTES_PER_TOKEN) + usual * choices,
  }
}

/** How long an answer may be for what is held, which is no less than the least. */
export function longestFor(held: bigint, bounds: CallBounds, { choices, images }: ModelRequest): number {
  const { price, inputTokens, longest, isShortened } = bounds
  return isShortened ? affordableOutput(held, { inputTokens, choices, images }, price, longest) : longest
}
