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

const TIMEOUT = 'cb-timeout-ms'
const REQUEST = 'cb-request-id'
const CALLER = 'cb-caller'
/** Most requests are of nobody. */
const ANONYMOUS = JSON.stringify(anonymous)

export const metaHeaders = (meta: CallMeta): Record<string, string> => ({
  [TIMEOUT]: String(Math.max(1, Math.floor(meta.timeoutMs))),
  [REQUEST]: meta.requestId,
  [CALLER]: meta.caller === anonymous ? ANONYMOUS : JSON.stringify(meta.caller),
})

/** Reads what metaHeaders wrote; headers of others give an anonymous caller and the operation's own deadline. */
export function readMeta(headers: Readonly<Record<string, string>>, timeoutMs: number): Omit<CallMeta, 'payment'> {
  const carried = Number(headers[TIMEOUT])
  const told = headers[CALLER] ?? ANONYMOUS
  const caller = told === ANONYMOUS ? anonymous : Caller.parse(JSON.parse(told))
  return {
    caller,
    requestId: headers[REQUEST] ?? 'none',
    timeoutMs: Number.isFinite(carried) && carried > 0 ? carried : timeoutMs,
  }
}
