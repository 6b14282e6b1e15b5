/**
 * What went wrong with a provider. `refused` is its own JSON-RPC error, `garbage` an invalid answer, `too_large` one
 * beyond our limit, `inconsistent` one that contradicts the same provider's earlier ones, `foreign` one from another
 * chain.
 */
export const PROVIDER_FAULTS = [
  'unreachable',
  'timeout',
  'rate_limited',
  'http',
  'garbage',
  'refused',
  'too_large',
  'inconsistent',
  'foreign',
] as const
export type ProviderFault = (typeof PROVIDER_FAULTS)[number]

/** A provider's fault, never ours: the step is given up and another provider, or a later time, tried. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly fault: ProviderFault
  /** How long the provider asked us to wait. */
  readonly retryAfterMs: number | undefined

  constructor(
    fault: ProviderFault,
    message: string,
    options: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.fault = fault
    this.retryAfterMs = options.retryAfterMs
  }
}

/** An answer that cannot be what was requested. */
export const garbage = (what: string): ProviderError => new ProviderError('garbage', `The answer is not ${what}`)
