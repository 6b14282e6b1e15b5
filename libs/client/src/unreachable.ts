/** Codes of failed connections, explained in words. @source Node's system errors and those of undici */
const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'its name cannot be looked up now',
  ECONNRESET: 'it ended the connection',
  UND_ERR_SOCKET: 'it ended the connection',
  EPIPE: 'it ended the connection',
  ETIMEDOUT: 'it does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it does not answer in time',
  EHOSTUNREACH: 'there is no way to its network',
  ENETUNREACH: 'there is no way to its network',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by anyone who is trusted here',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by anyone who is trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by anyone who is trusted here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there: http and not https, perhaps',
}

/** Why a request got no answer, as one clause. An unknown code is not explained in a library's words. */
export function whyUnreachable(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at.message === 'bad port') return 'that port is never called, for it is another protocol’s'
    if (at.name === 'TimeoutError') return 'it does not answer in time'
    const known = WHY[String('code' in at ? at.code : '')]
    if (known) return known
    const [first] = at instanceof AggregateError ? at.errors : []
    if (first) return whyUnreachable(first)
  }
  return 'the connection failed'
}
