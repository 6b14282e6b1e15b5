import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Which hosts may be reached at all. Names are judged by the addresses they resolve to, inside the connection. */
export interface AddressPolicy {
  /** Ports of public hosts that may be reached. */
  readonly ports: ReadonlySet<number>
  /** CIDR ranges that are refused although they are public: the cluster's own, and our own ingress. */
  readonly refusedCidrs: readonly string[]
  /** Devnet only: loopback on any port. Nothing else that is private opens by it. */
  readonly allowLoopback: boolean
}

export type Reachable = (address: string, port: number) => boolean

/** `unicast` to ipaddr.js 2.5, and yet nobody's public host: the platform endpoint of Azure. */
const NOT_PUBLIC = ['168.63.129.16/32']

/**
 * All of IPv6 that is assigned to public hosts. ipaddr.js 2.5 calls more than that `unicast`: IPv4-compatible addresses
 * such as ::7f00:1, and the dummy prefix 100:0:0:1::/64.
 * @source IANA IPv6 address space registry
 */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/**
 * Judges addresses, never names. Only `unicast` passes, and of IPv6 only what is global; IPv4 inside IPv6 is unwrapped
 * before it is judged.
 * @throws Error when a refused range is no CIDR
 */
export function addressPolicy({ ports, refusedCidrs, allowLoopback }: AddressPolicy): Reachable {
  const refused = [...NOT_PUBLIC, ...refusedCidrs].map((cidr) => ipaddr.parseCIDR(cidr))
  return (address, port) => {
    if (isIP(address) === 0) return false
    const ip = ipaddr.process(address)
    const range = ip.range()
    if (range === 'loopback') return allowLoopback
    const isWithin = (cidr: ReturnType<typeof ipaddr.parseCIDR>) => ip.kind() === cidr[0].kind() && ip.match(cidr)
    const isPublic = range === 'unicast' && (ip.kind() === 'ipv4' || isWithin(GLOBAL_UNICAST))
    return isPublic && ports.has(port) && !refused.some(isWithin)
  }
}
