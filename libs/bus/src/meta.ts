import { anonymous, Caller, type PresentedPayment } from '@callboard/contract'

/** What travels beside an operation's input. */
export interface CallMeta {
  readonly caller: Caller
  /** Names the client's request in every log and error it touches. */
  readonly requestId: string
  /** How long the caller still waits, in milliseconds; relative, so that clocks need not agree. */
  readonly timeoutMs: number
  readonly payment?: PresentedPayment | undefined
}

/** Most requests are of nobody. */
const ANONYMOUS = JSON.stringify(anonymous)

/** Names written out, here and where they are read: an object with computed ones is made in V8's runtime, at ten times the cost. */
export const metaHeaders = (meta: CallMeta): Record<string, string> => ({
  'cb-timeout-ms': String(Math.max(1, Math.floor(meta.timeoutMs))),
  'cb-request-id': meta.requestId,
  'cb-caller': meta.caller === anonymous ? ANONYMOUS : JSON.stringify(meta.caller),
})

/** Reads what metaHeaders wrote; headers of others give an anonymous caller and the operation's own deadline. */
export function readMeta(headers: Readonly<Record<string, string>>, timeoutMs: number): Omit<CallMeta, 'payment'> {
  const carried = Number(headers['cb-timeout-ms'])
  const told = headers['cb-caller'] ?? ANONYMOUS
  const caller = told === ANONYMOUS ? anonymous : Caller.parse(JSON.parse(told))
  return {
    caller,
    requestId: headers['cb-request-id'] ?? 'none',
    timeoutMs: Number.isFinite(carried) && carried > 0 ? carried : timeoutMs,
  }
}
