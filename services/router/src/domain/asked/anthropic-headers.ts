import type { ModelEntry } from '../model.ts'

/** The API version and betas in the headers of an Anthropic client's request, in the form that the contract checks. */
export interface AnthropicAsked {
  readonly anthropicVersion?: string | undefined
  /** Names separated by commas. */
  readonly anthropicBeta?: string | undefined
}

/** The headers that are sent to an upstream of Anthropic's shape, and the betas that are withheld. */
export interface AnthropicHeaders {
  readonly headers: Readonly<Record<string, string>>
  readonly dropped: readonly string[]
}

/**
 * Betas, without their dates, that change how a message is written or read and cost nothing beyond its tokens. All
 * others are dropped: they may keep files, threads or memory at the provider, which all callers of the operator's key
 * would share, or make the provider bill for what no model price covers (searches, containers, a fast mode, an
 * hour-long cache, a second model).
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

/** The beta for prompts longer than the usual context, at the provider's price for them. */
const LONG_CONTEXT = 'context-1m'
const USUAL_CONTEXT_TOKENS = 200_000

/** A beta without its date, which tells versions of a feature apart: `pdfs-2024-09-25`, `claude-code-20250219`. */
const featureOf = (beta: string): string => beta.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, '')

/** The headers for an upstream of Anthropic's shape that receives the request untranslated. */
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
