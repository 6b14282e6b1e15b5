const GROUPS = 8
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * Whom an address is counted as: an IPv4 address as itself, an IPv6 address by the /64 that it is in. One subscriber holds
 * all of a /64 (RFC 6177), and could come from another address with every request.
 * @param address as a socket or a trusted proxy names it
 */
export function subscriberOf(address: string): string {
  const ipv4 = MAPPED.exec(address)?.[1]
  if (ipv4) return ipv4
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const gap = tail === undefined ? 0 : GROUPS - (before?.length ?? 0) - (after?.length ?? 0)
  const groups = [...(before ?? []), ...Array.from({ length: gap }, () => '0'), ...(after ?? [])]
  const network = groups.slice(0, GROUPS / 2).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
