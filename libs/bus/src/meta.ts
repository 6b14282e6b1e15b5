import { anonymous, Caller, type InputOf, type Operation, type PresentedPayment } from '@callboard/contract'

/** What is sent along with an operation's input. */
export interface CallMeta {
  readonly caller: Caller
  /** Identifies the client's request in every log and error it touches. */
  readonly requestId: string
  /** How long the caller will still wait, in milliseconds; relative, so that clocks need not agree. */
  readonly timeoutMs: number
  readonly payment?: PresentedPayment | undefined
}

/** One call of an operation. */
export interface Call<Op extends Operation> {
  readonly op: Op
  readonly input: InputOf<Op>
  readonly meta: CallMeta
}

/** Most requests are anonymous. */
const ANONYMOUS = JSON.stringify(anonymous)

/** Names are literals here and where they are read: V8 creates an object with computed keys at ten times the cost. */
export const metaHeaders = (meta: CallMeta): Record<string, string> => ({
  'cb-timeout-ms': String(Math.max(1, Math.floor(meta.timeoutMs))),
  'cb-request-id': meta.requestId,
  'cb-caller': meta.caller === anonymous ? ANONYMOUS : JSON.stringify(meta.caller),
})

type Headers = Readonly<Record<string, string>>

/** Reads the deadline that metaHeaders wrote; any other headers mean the operation's own. */
export function readTimeout(headers: Headers, timeoutMs: number): number {
  const carried = Number(headers['cb-timeout-ms'])
  return Number.isFinite(carried) && carried > 0 ? carried : timeoutMs
}

/**
 * Reads what metaHeaders wrote; any other headers mean an anonymous caller and the operation's own deadline.
 * @throws Error for a caller that this release does not know
 */
export function readMeta(headers: Headers, timeoutMs: number): Omit<CallMeta, 'payment'> {
  const told = headers['cb-caller'] ?? ANONYMOUS
  const caller = told === ANONYMOUS ? anonymous : Caller.parse(JSON.parse(told))
  return {
    caller,
    requestId: headers['cb-request-id'] ?? 'none',
    timeoutMs: readTimeout(headers, timeoutMs),
  }
}
