/**
 * An expected "no": a value that a handler returns, declared in the contract under the same code.
 * Bugs and outages are not refusals; they are thrown as faults.
 */
export interface Refusal<Code extends string = string> {
  readonly refusal: Code
  /** Public text: one sentence for the caller. */
  readonly message?: string
  /** The input field that is at fault, as a dotted path. */
  readonly field?: string
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Response headers of this route in addition to those of every refusal, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Members of the body next to `error`, where the interface names some. */
  readonly details?: Readonly<Record<string, unknown>>
}

export const refuse = <const Code extends string>(code: Code, more: Omit<Refusal, 'refusal'> = {}): Refusal<Code> => ({
  refusal: code,
  ...more,
})

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refusal' in value && typeof value.refusal === 'string'
