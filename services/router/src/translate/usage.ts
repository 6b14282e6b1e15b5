import type { Json } from '../domain/json.ts'
import type { Usage } from '../domain/usage.ts'

/** A usage in the form of a chat completion. */
export const chatUsageBody = (usage: Usage): Json => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
})

/** A usage in the form of a response. */
export const responsesUsageBody = (usage: Usage): Json => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.inputTokens + usage.outputTokens,
})

/** A usage in the form of a message, which counts tokens read from or written to a cache separately. */
export const messagesUsageBody = (usage: Usage): Json => ({
  input_tokens: usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  output_tokens: usage.outputTokens,
  output_tokens_details: { thinking_tokens: usage.reasoningTokens },
})
