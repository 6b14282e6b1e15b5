export type BusFaultKind =
  /** No process serves the subject right now: 503. */
  | 'no_responder'
  /** The answer did not come in time; what it did is unknown: 504. */
  | 'deadline'
  /** The caller no longer wants the answer. */
  | 'cancelled'
  /** The responder has all the work it takes: 503. */
  | 'overloaded'
  /** The bus itself is unavailable: 503. */
  | 'disconnected'
  /** The request is larger than its operation takes: 413. */
  | 'too_large'
  /** A store behind the handler is unavailable; what the request did is unknown: 503. */
  | 'unavailable'
  /** The responder fell silent in the middle of its work; what that did is unknown: 504. */
  | 'lost'
  /** The handler threw. */
  | 'remote'
  /** Chunks of a stream were lost. */
  | 'broken_stream'
  /** Who reads a stream, or asked with a body that is still to come, fell silent. */
  | 'reader_lost'

/** Whether work was broken off because its reader died, and not because that went away. */
export const isReaderLost = ({ reason }: AbortSignal): boolean =>
  reason instanceof BusFault && reason.kind === 'reader_lost'

/** An outage or a bug met while calling over the bus; never an expected answer. */
export class BusFault extends Error {
  override readonly name = 'BusFault'
  readonly kind: BusFaultKind
  readonly subject: string

  constructor(kind: BusFaultKind, subject: string, message: string, options?: ErrorOptions) {
    super(`${subject}: ${message}`, options)
    this.kind = kind
    this.subject = subject
  }

  /** True when the request surely was not begun, so that asking again cannot do the work twice. */
  get retryable(): boolean {
    return this.kind === 'no_responder' || this.kind === 'overloaded'
  }
}
