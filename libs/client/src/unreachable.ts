/** Codes of failed connections, explained in words. @source Node's system errors and those of undici */
const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address',
  ENOTFOUND: 'there is no host with that name',
  EAI_AGAIN: 'its name cannot be resolved right now',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it did not answer in time',
  EHOSTUNREACH: 'its network cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by a trusted authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by a trusted authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS at that address: perhaps use http instead of https',
}

/** Why a request got no answer, as one clause. An unknown code is not explained in a library's words. */
export function whyUnreachable(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at.message === 'bad port') return 'requests to that port are blocked, because it belongs to another protocol'
    if (at.name === 'TimeoutError') return 'it did not answer in time'
    const known = WHY[String('code' in at ? at.code : '')]
    if (known) return known
    const [first] = at instanceof AggregateError ? at.errors : []
    if (first) return whyUnreachable(first)
  }
  return 'the connection failed'
}
