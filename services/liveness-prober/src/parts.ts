import { openChains } from '@callboard/evm'
import { V1_NETWORKS } from '@callboard/x402'
import type { Config } from './config.ts'
import { addressPolicy, dnsResolver } from './guarded-fetch/index.ts'
import type { Parts } from './kit.ts'

const WEB_PORTS = [80, 443]

/** The guard of all fetches and what is known of payments, from the settings. Nothing is opened. */
export function openParts(config: Config): Omit<Parts, 'meters'> {
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
    known: {
      tokens: chains.map(({ network, usdc }) => ({
        network,
        asset: usdc.address,
        name: usdc.name,
        version: usdc.version,
      })),
      networks: new Map([
        ...V1_NETWORKS,
        ...chains.flatMap(({ v1Name, network }) => (v1Name === undefined ? [] : [[v1Name, network] as const])),
      ]),
    },
  }
}
