import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Which hosts may be reached. Names are judged by the addresses they resolve to, when connecting. */
export interface AddressPolicy {
  /** Ports of public hosts that may be reached. */
  readonly ports: ReadonlySet<number>
  /** CIDR ranges that are refused although they are public: the cluster's own, and our own ingress. */
  readonly refusedCidrs: readonly string[]
  /** Devnet only: allows loopback on any port, and no other private address. */
  readonly allowLoopback: boolean
}

export type Reachable = (address: string, port: number) => boolean

/** `unicast` to ipaddr.js 2.5, but not public: Azure's platform endpoint and the 6bone, returned in 2006 (RFC 3701). */
const NOT_PUBLIC = ['168.63.129.16/32', '3ffe::/16']

/**
 * All IPv6 addresses that are assigned to public hosts. ipaddr.js 2.5 calls more than that `unicast`: IPv4-compatible
 * addresses such as ::7f00:1, and the dummy prefix 100:0:0:1::/64.
 * @source IANA IPv6 address space registry
 */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

type Ip = ReturnType<typeof ipaddr.process>

/**
 * The IPv4 address in the last 32 bits of an ISATAP address, to which its host forwards packets; undefined for others.
 * @source RFC 5214, 6.1: interface identifiers ::0:5efe:a.b.c.d and ::200:5efe:a.b.c.d under any prefix
 */
function isatapTarget(ip: Ip): Ip | undefined {
  if (!(ip instanceof ipaddr.IPv6)) return undefined
  const [high, low, first = 0, last = 0] = ip.parts.slice(4)
  if ((high !== 0 && high !== 0x200) || low !== 0x5efe) return undefined
  return new ipaddr.IPv4([first >> 8, first & 0xff, last >> 8, last & 0xff])
}

/**
 * Judges addresses, never names. Only `unicast` passes, and in IPv6 only global addresses; IPv4 inside IPv6 is
 * unwrapped first, and for an ISATAP address both parts are judged. Port 0 is never reachable.
 * @throws Error if a refused range is not a CIDR
 */
export function addressPolicy({ ports, refusedCidrs, allowLoopback }: AddressPolicy): Reachable {
  const refused = [...NOT_PUBLIC, ...refusedCidrs].map((cidr) => ipaddr.parseCIDR(cidr))
  const isPublic = (ip: Ip): boolean => {
    const isWithin = (cidr: ReturnType<typeof ipaddr.parseCIDR>) => ip.kind() === cidr[0].kind() && ip.match(cidr)
    const isGlobal = ip.range() === 'unicast' && (ip.kind() === 'ipv4' || isWithin(GLOBAL_UNICAST))
    const target = isatapTarget(ip)
    return isGlobal && !refused.some(isWithin) && (target === undefined || isPublic(target))
  }
  return (address, port) => {
    if (port === 0 || isIP(address) === 0) return false
    const ip = ipaddr.process(address)
    return ip.range() === 'loopback' ? allowLoopback : ports.has(port) && isPublic(ip)
  }
}
