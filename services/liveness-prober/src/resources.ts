import { openChains, settledTokens, v1NetworksOf } from '@callboard/evm'
import { derived } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { Resources } from './context.ts'
import { addressPolicy, dnsResolver } from './guarded-fetch/index.ts'
import { openapiDocuments } from './openapi-documents.ts'
import { robotsFiles } from './robots-files.ts'
import { requestSigner } from './signing/request-signer.ts'
import { signingKeys } from './signing/signing-keys.ts'

const WEB_PORTS = [80, 443]

/**
 * The guard of all fetches and the known payment tokens, from the settings. Opens no connections.
 * @param now when a request is signed
 */
export function openResources(config: Config, now: () => number): Omit<Resources, 'meters'> {
  const keys = derived(() => config.PROBE_SIGNING_KEYS, signingKeys)
  const chains = [...openChains(config).chains.values()]
  const guard = {
    reachable: addressPolicy({
      ports: new Set([...WEB_PORTS, ...config.PROBE_EXTRA_PORTS]),
      refusedCidrs: config.PROBE_REFUSED_CIDRS,
      allowLoopback: config.PROBE_ALLOW_LOOPBACK,
    }),
    resolve: dnsResolver(config.PROBE_CONNECT_TIMEOUT_MS),
    connectTimeoutMs: config.PROBE_CONNECT_TIMEOUT_MS,
    totalTimeoutMs: config.PROBE_TIMEOUT_MS,
    userAgent: `CallboardProber/1.0 (+${config.PROBE_CONTACT_URL ?? config.BASE_URL})`,
    sign: requestSigner(keys, config.BASE_URL, now),
  }
  return {
    guard,
    signingKeys: keys,
    openapi: openapiDocuments(),
    robots: robotsFiles(guard),
    known: {
      tokens: settledTokens(chains),
      networks: v1NetworksOf(chains),
    },
  }
}
