import type { ReadFailure } from '@callboard/contract'

/** Why no answer was read, and nothing more: callers must not learn what stands on which port. */
export type FailureState = ReadFailure

/** A failure whose state is known where it is thrown. */
export class GuardError extends Error {
  override readonly name = 'GuardError'
  readonly state: FailureState

  constructor(state: FailureState) {
    super(`The guarded fetch ended: ${state}`)
    this.state = state
  }
}

const STATES: Readonly<Record<string, FailureState>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  EPROTO: 'tls',
  CERT_HAS_EXPIRED: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
}
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/

/** The coarse state of an error, or of the errors it was made from. */
export function failureState(error: unknown): FailureState {
  return known(error) ?? 'unreachable'
}

function known(error: unknown): FailureState | undefined {
  if (error instanceof GuardError) return error.state
  if (!(error instanceof Error)) return undefined
  if (error.name === 'TimeoutError') return 'timeout'
  const code = codeOf(error)
  if (code !== undefined) {
    if (Object.hasOwn(STATES, code)) return STATES[code]
    if (TLS_CODE.test(code)) return 'tls'
  }
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause]
  return inner.map(known).find((state) => state !== undefined)
}

/** Node's and undici's error code; undefined where there is none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
