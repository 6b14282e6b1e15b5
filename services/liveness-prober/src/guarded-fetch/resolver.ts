import { Resolver } from 'node:dns/promises'
import { codeOf, GuardError } from './failure.ts'

/** All addresses of a name. @throws GuardError that says why there are none */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/**
 * Asks the DNS servers and nothing else: no hosts file, no search domains, so that no name reaches into the cluster.
 * `localhost` and names under it are loopback by definition and never asked for.
 * @param servers instead of the system's, as `ip:port`
 * @source RFC 6761, 6.3
 */
export function dnsResolver(timeoutMs: number, servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1']
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    throw new GuardError(failureOfName(answers.flatMap((answer) => codeOf('reason' in answer && answer.reason) ?? [])))
  }
}

/** Why a name has no address: it does not exist, it exists without one, or its servers did not say. */
function failureOfName(codes: readonly string[]) {
  if (codes.includes('ENOTFOUND')) return 'dns_no_such_name'
  return codes.every((code) => code === 'ENODATA') ? 'dns_no_address' : 'dns'
}
