export type BusFaultKind =
  /** No process serves the subject right now: 503. */
  | 'no_responder'
  /** The answer did not come in time; whether the request took effect is unknown: 504. */
  | 'deadline'
  /** The caller no longer wants the answer. */
  | 'cancelled'
  /** The responder is at its limit of concurrent work: 503. */
  | 'overloaded'
  /** The bus itself is unavailable: 503. */
  | 'disconnected'
  /** The request is larger than its operation allows: 413. */
  | 'too_large'
  /** A store or a service behind the handler is unavailable; whether the request took effect is unknown: 503. */
  | 'unavailable'
  /** The responder fell silent during its work; whether that took effect is unknown: 504. */
  | 'lost'
  /** The handler threw. */
  | 'remote'
  /** Chunks of a stream were lost. */
  | 'broken_stream'
  /** The reader of a stream, or the sender of a body still in transfer, fell silent. */
  | 'reader_lost'

/** Whether work was aborted because its reader died, as opposed to having left. */
export const isReaderLost = ({ reason }: AbortSignal): boolean =>
  reason instanceof BusFault && reason.kind === 'reader_lost'

/** An outage or a bug during a call over the bus; never an expected answer. */
export class BusFault extends Error {
  override readonly name = 'BusFault'
  readonly kind: BusFaultKind
  readonly subject: string

  constructor(kind: BusFaultKind, subject: string, message: string, options?: ErrorOptions) {
    super(`${subject}: ${message}`, options)
    this.kind = kind
    this.subject = subject
  }

  /** Whether the request certainly was not started, so that a retry cannot do the work twice. */
  get retryable(): boolean {
    return this.kind === 'no_responder' || this.kind === 'overloaded'
  }
}

/** A fault of a call that this process made, as opposed to one that a handler has itself. */
export class CallFault extends BusFault {}

/** What a responder tells of its failure. A call of its handler that was not started says nothing of the handler, which was. */
export function toldKind(error: unknown): BusFaultKind {
  if (!(error instanceof BusFault)) return 'remote'
  return error instanceof CallFault && error.retryable ? 'unavailable' : error.kind
}
