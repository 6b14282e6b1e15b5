import { isIP } from 'node:net'
import { z } from 'zod'

const MOST_HOPS = 16
const LONGEST_PREFIX = { 4: 32, 6: 128 } as const

const MEANING =
  'must be the number of proxies in front (1), or their networks (10.0.0.0/8,fd00::/8). With true every client that sends ' +
  'X-Forwarded-For chooses the address that limits count'

/** An address, or a network in CIDR notation; one that contains every address is refused. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/')
  const version = isIP(address)
  if (version !== 4 && version !== 6) return false
  if (more !== undefined) return false
  if (prefix === undefined) return true
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  return bits >= 1 && bits <= LONGEST_PREFIX[version]
}

/**
 * Whose `X-Forwarded-For` is trusted: as many hops as there are proxies in front, or the proxies' networks. Each proxy
 * appends the address that it saw, so what a client wrote itself is further left than any of these.
 */
export const TrustedProxies = z.string().transform((text, ctx): number | readonly string[] => {
  if (/^\d+$/.test(text)) {
    const hops = Number(text)
    if (hops >= 1 && hops <= MOST_HOPS) return hops
    ctx.addIssue({ code: 'custom', message: `must be 1 to ${MOST_HOPS} proxies. Leave it empty if there is no proxy` })
    return z.NEVER
  }
  const networks = text.split(',').map((one) => one.trim())
  const wrong = networks.find((one) => !isNetwork(one))
  if (wrong === undefined) return networks
  ctx.addIssue({ code: 'custom', message: `${MEANING}. Leave it empty if there is no proxy` })
  return z.NEVER
})
export type TrustedProxies = z.output<typeof TrustedProxies>

type Trust = string[] | ((address: string, hop: number) => boolean)

/**
 * The same in the form of fastify's `trustProxy`. Fastify 5 trusts no proxy for a number, because a count does not tell
 * which peer connects; here the setting promises that only the proxies can.
 */
export const trustOf = (proxies: TrustedProxies | undefined): Trust | false => {
  if (proxies === undefined) return false
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : [...proxies]
}
