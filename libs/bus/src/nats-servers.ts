/** The NATS servers and the credentials, as `NATS_URL` gives them. */
export interface NatsServers {
  readonly servers: string[]
  readonly user?: string
  readonly pass?: string
  /** Where given, a server that does not encrypt is refused before anything is sent: the client ignores schemes. */
  readonly tls?: object
}

const ENCRYPTED = 'tls:'

/**
 * Parses `nats://user:password@host:4222,nats://…`, or `tls://…`. The client does not support credentials in an address
 * and would silently drop them.
 * @throws Error when two addresses name different users, or only some are encrypted
 */
export function readNatsServers(text: string): NatsServers {
  const urls = text.split(',').map((one) => new URL(one.includes('://') ? one.trim() : `nats://${one.trim()}`))
  const signIns = new Set(urls.map(({ username, password }) => `${username}:${password}`))
  if (signIns.size > 1) throw new Error('NATS_URL names several users: every address needs the same one.')
  const encrypted = urls.filter(({ protocol }) => protocol === ENCRYPTED).length
  if (encrypted > 0 && encrypted < urls.length)
    throw new Error('NATS_URL encrypts only some of its addresses: begin each with tls://, or none.')
  const tls = encrypted > 0 ? { tls: {} } : {}
  const servers = urls.map(({ protocol, host }) => `${protocol}//${host}`)
  const [first] = urls
  if (!first?.username) return { servers, ...tls }
  return { servers, ...tls, user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) }
}
