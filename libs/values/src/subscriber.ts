const GROUPS = 8
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)/i
/** Some proxies name the client's port too, which differs for each of its connections. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]*)\])(?::\d+)?$/

/**
 * The subscriber that an address counts as: an IPv4 address as itself, an IPv6 address by its /64. One subscriber holds
 * a whole /64 (RFC 6177), and could use another address for every request.
 * @param named by a socket, or by a trusted proxy, which may add a port
 */
export function subscriberOf(named: string): string {
  const address = withoutPort(named)
  const ipv4 = ipv4Of(address)
  return ipv4 ?? `${prefixOf(address, 4).join(':')}::/64`
}

/**
 * The network that an address counts towards where creating another address is cheap: an IPv4 /24, an IPv6 /48, which
 * is what one site is assigned (RFC 6177).
 * @param named by a socket, or by a trusted proxy, which may add a port
 */
export function networkOf(named: string): string {
  const address = withoutPort(named)
  const ipv4 = ipv4Of(address)
  return ipv4 === undefined ? `${prefixOf(address, 3).join(':')}::/48` : `${ipv4.split('.').slice(0, 3).join('.')}.0/24`
}

function withoutPort(named: string): string {
  const [, ipv4, ipv6] = WITH_PORT.exec(named) ?? []
  return ipv4 ?? ipv6 ?? named
}

const ipv4Of = (address: string): string | undefined =>
  MAPPED.exec(address)?.[1] ?? (address.includes(':') ? undefined : address)

/** The first 16-bit groups of an IPv6 address. */
function prefixOf(address: string, count: number): string[] {
  const left = GROUPS - groupsOf(address).length
  return groupsOf(address.replace('::', `:${'0:'.repeat(Math.max(0, left))}`))
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
}

/** An IPv4 address at the end is two groups (RFC 4291, 2.2), so it counts as two. They are part of no prefix. */
const groupsOf = (address: string): string[] =>
  address
    .replace(/\.\d+\./, ':')
    .split(':')
    .filter((group) => group !== '')
