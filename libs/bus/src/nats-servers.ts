/** The NATS servers and the credentials, as `NATS_URL` gives them. */
export interface NatsServers {
  readonly servers: string[]
  readonly user?: string
  readonly pass?: string
}

/**
 * Parses `nats://user:password@host:4222,nats://…`. The client does not support credentials in an address and would
 * silently drop them.
 * @throws Error when two addresses name different users
 */
export function readNatsServers(text: string): NatsServers {
  const urls = text.split(',').map((one) => new URL(one.includes('://') ? one.trim() : `nats://${one.trim()}`))
  const signIns = new Set(urls.map(({ username, password }) => `${username}:${password}`))
  if (signIns.size > 1) throw new Error('NATS_URL names several users: every address needs the same one.')
  const servers = urls.map(({ protocol, host }) => `${protocol}//${host}`)
  const [first] = urls
  if (!first?.username) return { servers }
  return { servers, user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) }
}
