import { openChains, settledTokens, v1NetworksOf } from '@callboard/evm'
import type { Config } from './config.ts'
import type { Resources } from './context.ts'
import { addressPolicy, dnsResolver } from './guarded-fetch/index.ts'
import { openapiDocuments } from './openapi-documents.ts'

const WEB_PORTS = [80, 443]

/** The guard of all fetches and what is known of payments, from the settings. Nothing is opened. */
export function openResources(config: Config): Omit<Resources, 'meters'> {
  const chains = [...openChains(config).chains.values()]
  return {
    guard: {
      reachable: addressPolicy({
        ports: new Set([...WEB_PORTS, ...config.PROBE_EXTRA_PORTS]),
        refusedCidrs: config.PROBE_REFUSED_CIDRS,
        allowLoopback: config.PROBE_ALLOW_LOOPBACK,
      }),
      resolve: dnsResolver(config.PROBE_CONNECT_TIMEOUT_MS),
      connectTimeoutMs: config.PROBE_CONNECT_TIMEOUT_MS,
      totalTimeoutMs: config.PROBE_TIMEOUT_MS,
      userAgent: `CallboardProber/1.0 (+${config.PROBE_CONTACT_URL ?? config.BASE_URL})`,
    },
    openapi: openapiDocuments(),
    known: {
      tokens: settledTokens(chains),
      networks: v1NetworksOf(chains),
    },
  }
}
