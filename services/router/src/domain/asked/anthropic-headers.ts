import type { ModelEntry } from '../model.ts'

/** What a client of Anthropic's API says of it in the headers of its request, in the form that the contract checks. */
export interface AnthropicAsked {
  readonly anthropicVersion?: string | undefined
  /** Names with commas between them. */
  readonly anthropicBeta?: string | undefined
}

/** What an upstream of Anthropic's shape is told, and the betas that it is not. */
export interface AnthropicHeaders {
  readonly headers: Readonly<Record<string, string>>
  readonly dropped: readonly string[]
}

/**
 * Betas that change how a message is written or read and cost nothing beside its tokens, without their dates. Any other is left
 * out: it may keep files, threads or memory at the provider, which all callers of the operator's key would share, or have the
 * provider bill what no price of a model names (searches, containers, a fast mode, a cache for an hour, a second model).
 */
const PASSED: ReadonlySet<string> = new Set([
  'claude-code',
  'computer-use',
  'context-management',
  'dev-full-thinking',
  'effort',
  'fine-grained-tool-streaming',
  'interleaved-thinking',
  'model-context-window-exceeded',
  'output-128k',
  'output-300k',
  'pdfs',
  'prompt-caching',
  'structured-outputs',
  'thinking-token-count',
  'token-counting',
  'token-efficient-tools',
])

/** Takes prompts that are longer than this many tokens, at the price that the provider has for them. */
const LONG_CONTEXT = 'context-1m'
const USUAL_CONTEXT_TOKENS = 200_000

/** A name without its date, which tells apart states of one feature: `pdfs-2024-09-25`, `claude-code-20250219`. */
const featureOf = (beta: string): string => beta.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, '')

/** The headers for an upstream of Anthropic's shape, where it is asked as it came. */
export function anthropicHeaders(
  { anthropicVersion: version, anthropicBeta = '' }: AnthropicAsked,
  { contextTokens }: Pick<ModelEntry, 'contextTokens'>,
): AnthropicHeaders {
  const isPassed = (beta: string) => {
    const feature = featureOf(beta)
    return PASSED.has(feature) || (feature === LONG_CONTEXT && contextTokens > USUAL_CONTEXT_TOKENS)
  }
  const betas = [...new Set(anthropicBeta.split(',').map((beta) => beta.trim()))].filter((beta) => beta !== '')
  const passed = betas.filter(isPassed)
  return {
    headers: {
      ...(version === undefined ? {} : { 'anthropic-version': version }),
      ...(passed.length > 0 ? { 'anthropic-beta': passed.join(',') } : {}),
    },
    dropped: betas.filter((beta) => !isPassed(beta)),
  }
}
