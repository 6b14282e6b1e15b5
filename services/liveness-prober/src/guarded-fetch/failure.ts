import { type FailureFinding, FINDINGS, type ReadFailure } from '@callboard/contract'

/** Why no answer was read. It concerns reachable hosts only: to others no connection is opened. */
export type Failure = FailureFinding

/** A failure whose cause is known where it is thrown. */
export class GuardError extends Error {
  override readonly name = 'GuardError'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(`The guarded fetch ended: ${failure}`)
    this.failure = failure
  }
}

const FAILURES: Readonly<Record<string, Failure>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  EHOSTUNREACH: 'no_route',
  ENETUNREACH: 'no_route',
  EPROTO: 'tls_handshake',
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_wrong_host',
  HOSTNAME_MISMATCH: 'tls_wrong_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  CERT_REVOKED: 'tls_untrusted',
  CERT_UNTRUSTED: 'tls_untrusted',
  CERT_REJECTED: 'tls_untrusted',
}
const BY_FORM: readonly (readonly [RegExp, Failure])[] = [
  [/^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE)/, 'tls_handshake'],
  [/^HPE_/, 'not_http'],
]

/** The failure that an error stands for, by itself or by the errors that caused it. */
export const failureOf = (error: unknown): Failure => known(error) ?? 'unreachable'

/** The state of a failure. */
export const failureState = (failure: Failure): ReadFailure => FINDINGS[failure].state

function known(error: unknown): Failure | undefined {
  if (error instanceof GuardError) return error.failure
  if (!(error instanceof Error)) return undefined
  if (error.name === 'TimeoutError') return 'timeout'
  // undici sets no code for some parse errors.
  if (error.name === 'HTTPParserError') return 'not_http'
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause]
  return byCode(codeOf(error)) ?? inner.map(known).find((failure) => failure !== undefined)
}

function byCode(code: string | undefined): Failure | undefined {
  if (code === undefined) return undefined
  if (Object.hasOwn(FAILURES, code)) return FAILURES[code]
  return BY_FORM.find(([form]) => form.test(code))?.[1]
}

/** Node's and undici's error code; undefined if there is none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
