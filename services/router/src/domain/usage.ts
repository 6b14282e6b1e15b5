import { isObject } from '@callboard/x402'

/** The usage of a call as its upstream counted it; whole numbers from 0, each part within its total. */
export interface Usage {
  /** All input tokens, including those read from and written to a cache. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** All output tokens of all choices, including reasoning. */
  readonly outputTokens: number
  readonly reasoningTokens: number
}

type Claim = Readonly<Record<string, unknown>>

/**
 * The usage in a chat completion, or in a chunk of one.
 * @returns undefined if there is none, or if the claim is impossible
 * @source OpenAI API, CompletionUsage: cached tokens are inside `prompt_tokens`, reasoning inside `completion_tokens`
 */
export function chatUsage(json: unknown): Usage | undefined {
  const claim = claimOf(json)
  const input = partOf(claim?.prompt_tokens_details)
  const output = partOf(claim?.completion_tokens_details)
  const apart = apartFrom(claim)
  const completion = claim?.completion_tokens
  return believed({
    inputTokens: claim?.prompt_tokens,
    cacheReadTokens: input.cached_tokens ?? 0,
    cacheWriteTokens: input.cache_write_tokens ?? 0,
    outputTokens: isCount(completion) ? completion + apart : completion,
    reasoningTokens: output.reasoning_tokens ?? apart,
  })
}

/**
 * The tokens that only the total has: reasoning, which some providers bill as output and leave out of the completion.
 * @source xAI API, reasoning; Gemini API, OpenAI compatibility
 */
function apartFrom({ prompt_tokens: prompt, completion_tokens: completion, total_tokens: total }: Claim = {}): number {
  return isCount(prompt) && isCount(completion) && isCount(total) ? Math.max(0, total - prompt - completion) : 0
}

/**
 * The usage in a response object, which the last event of a stream carries as `response`.
 * @returns undefined if there is none, or if the claim is impossible
 * @source OpenAI API, ResponseUsage
 */
export function responsesUsage(json: unknown): Usage | undefined {
  const claim = claimOf(json)
  const input = partOf(claim?.input_tokens_details)
  const output = partOf(claim?.output_tokens_details)
  return believed({
    inputTokens: claim?.input_tokens,
    cacheReadTokens: input.cached_tokens ?? 0,
    cacheWriteTokens: input.cache_write_tokens ?? 0,
    outputTokens: claim?.output_tokens,
    reasoningTokens: output.reasoning_tokens ?? 0,
  })
}

/**
 * The usage in a list of embeddings, which has no output.
 * @returns undefined if there is none, or if the claim is impossible
 */
export const embeddingsUsage = (json: unknown): Usage | undefined =>
  believed({
    inputTokens: claimOf(json)?.prompt_tokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  })

/**
 * The usage in a message; in a stream, that of `message_start` with counts updated by a `message_delta`.
 * @param start the message, complete or as it began
 * @param delta the event `message_delta`; its counts are cumulative
 * @returns undefined if there is none, or if the claim is impossible
 * @source Anthropic API, Usage: `input_tokens` are those that no cache read or wrote
 */
export function messagesUsage(start: unknown, delta?: unknown): Usage | undefined {
  const { usage } = messagesClaim(start, delta)
  const cacheReadTokens = usage.cache_read_input_tokens ?? 0
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0
  const parts = [usage.input_tokens, cacheReadTokens, cacheWriteTokens]
  if (!parts.every(isCount)) return undefined
  return believed({
    inputTokens: parts.reduce((sum, part) => sum + part, 0),
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: usage.output_tokens,
    reasoningTokens: partOf(usage.output_tokens_details).thinking_tokens ?? 0,
  })
}

/** The combined claim of a message and a later event: later counts replace earlier ones, null replaces nothing. */
export function messagesClaim(start: unknown, delta?: unknown): { readonly usage: Claim } {
  const later = Object.entries(claimOf(delta) ?? {}).filter(([, value]) => value !== null && value !== undefined)
  return { usage: { ...claimOf(start), ...Object.fromEntries(later) } }
}

const claimOf = (json: unknown): Claim | undefined => (isObject(json) && isObject(json.usage) ? json.usage : undefined)

const partOf = (value: unknown): Claim => (isObject(value) ? value : {})

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Returns a claim only if it is possible: an upstream's word becomes money only after this check. */
function believed(claim: Readonly<Record<keyof Usage, unknown>>): Usage | undefined {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = claim
  if (!isCount(inputTokens) || !isCount(cacheReadTokens) || !isCount(cacheWriteTokens)) return undefined
  if (!isCount(outputTokens) || !isCount(reasoningTokens)) return undefined
  if (cacheReadTokens + cacheWriteTokens > inputTokens || reasoningTokens > outputTokens) return undefined
  return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens }
}
