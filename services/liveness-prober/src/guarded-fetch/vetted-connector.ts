import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import type { Reachable } from './address-policy.ts'
import { GuardError } from './failure.ts'
import type { Resolve } from './resolver.ts'

export interface ConnectorSettings {
  readonly reachable: Reachable
  readonly resolve: Resolve
  readonly connectTimeoutMs: number
}

/** At most this many addresses of a name are tried; all of them are judged. */
const MAX_ADDRESSES = 8

let shared: SecureContext | undefined
/**
 * Node's defaults, created once: each connection would create them anew, for about 0.3 ms of CPU. Keeps no sessions:
 * every connection receives and checks the certificate.
 */
const secureContext = (): SecureContext => {
  shared ??= createSecureContext()
  return shared
}

/**
 * Opens connections to addresses that passed the policy only. The check happens while connecting: a name is resolved
 * once, and the socket gets exactly the addresses that passed, so a later change of the answer (DNS rebinding) has no
 * effect. Literals are checked here, because Node calls no `lookup` for them. Certificates are checked against the name
 * of the URL, over HTTP/1.1 only.
 */
export function vettedConnector(port: number, settings: ConnectorSettings): buildConnector.connector {
  const connect = buildConnector({
    timeout: settings.connectTimeoutMs,
    allowH2: false,
    secureContext: secureContext(),
    // By default Node gives up on an address for good after 250 ms: too little for a server that is far away.
    autoSelectFamilyAttemptTimeout: settings.connectTimeoutMs / 2,
    lookup: vettedLookup(port, settings),
  })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !settings.reachable(host, port)) callback(new GuardError('refused_target'), null)
    else connect(options, callback)
  }
}

function vettedLookup(port: number, { reachable, resolve }: ConnectorSettings): LookupFunction {
  return (hostname, options, done) => {
    vetted(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (options.all || !first) done(null, addresses)
        else done(null, first.address, first.family)
      },
      (error: Error) => done(error, []),
    )
  }

  async function vetted(hostname: string) {
    const addresses = await resolve(hostname).catch((error: unknown) => {
      throw error instanceof GuardError ? error : new GuardError('dns')
    })
    if (addresses.length === 0) throw new GuardError('dns_no_address')
    if (!addresses.every((address) => reachable(address, port))) throw new GuardError('refused_target')
    return addresses.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: isIP(address) }))
  }
}
