import { Resolver } from 'node:dns/promises'

/** All addresses of a name; an empty answer and an error both mean that it does not resolve. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/**
 * Asks the DNS servers and nothing else: no hosts file, no search domains, so that no name reaches into the cluster.
 * `localhost` and names under it are loopback by definition and never asked for.
 * @source RFC 6761, 6.3
 */
export function dnsResolver(timeoutMs: number): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1']
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
