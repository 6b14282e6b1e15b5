import { Resolver } from 'node:dns/promises'
import { codeOf, GuardError } from './failure.ts'

/** All addresses of a name. @throws GuardError if there are none, with the reason */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/**
 * Asks DNS servers only: no hosts file, no search domains, so that no name reaches into the cluster. `localhost` and
 * names under it are loopback by definition and never looked up.
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

/** Why a name has no address: it does not exist, it exists without one, or its servers gave no answer. */
function failureOfName(codes: readonly string[]) {
  if (codes.includes('ENOTFOUND')) return 'dns_no_such_name'
  return codes.every((code) => code === 'ENODATA') ? 'dns_no_address' : 'dns'
}
