import { rmSync } from 'node:fs'
import { newAgent } from '@callboard/conformance/agent'
import { newOwner } from '@callboard/conformance/owner'
import type { Target } from '@callboard/conformance/target'
import { LIMITS } from '@callboard/contract'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type Cluster, startCluster } from '@callboard/tools/cluster'
import type { Comparison, Figure } from '../figure.ts'
import { introspectOurs, introspectPeer } from '../identity/introspecting.ts'
import { type Peer, startOidcProvider, startSiweServer } from '../identity/peers.ts'
import { pollOidcProvider, pollUs } from '../identity/polling.ts'
import { revokeEach } from '../identity/revoking.ts'
import { signInAtOurs, signInAtPeer } from '../identity/signing-in.ts'

const GATEWAYS = 3
const OWNERS = 10
/** The interval of readiness probes in the chart. */
const READINESS_EVERY_MS = 5_000
/** The most that an owner may have. */
const AGENTS_EACH = 20

const wide = { burst: 10_000_000, perMinute: 600_000_000 }
const RATE_LIMITS = JSON.stringify(Object.fromEntries(Object.keys(LIMITS).map((name) => [name, wide])))

const row = (
  what: string,
  unit: string,
  better: Comparison['better'],
  ours: number,
  rest: Partial<Comparison> = {},
): Comparison => ({ what, unit, better, ours, ...rest })

/** The access tokens of newly linked agents. */
async function linkAgents(target: Target): Promise<string[]> {
  const tokens: string[] = []
  for (let number = 0; number < OWNERS; number += 1) {
    const owner = await newOwner(target)
    for (let count = 0; count < AGENTS_EACH; count += 1) {
      const { api } = await newAgent(target, owner)
      tokens.push(api.headers.authorization?.slice('Bearer '.length) ?? '')
    }
  }
  return tokens
}

async function measured(cluster: Cluster, oidc: Peer, siwe: Peer): Promise<Comparison[]> {
  const pidsOf = (...targets: string[]) => targets.flatMap((name) => cluster.of(name).flatMap(({ pid }) => pid ?? []))
  const target = { baseUrl: cluster.baseUrl }
  const [polledUs, polledThem] = [await pollUs(target, pidsOf('gateway', 'oauth')), await pollOidcProvider(oidc)]
  const [signedUs, signedThem] = [await signInAtOurs(target, pidsOf('gateway', 'oauth')), await signInAtPeer(siwe)]
  const tokens = await linkAgents(target)
  const introspected = await introspectOurs(cluster.urls, tokens, pidsOf('oauth'))
  const theirs = await introspectPeer(oidc)
  const gateways = cluster.of('gateway').map(({ port }) => `http://127.0.0.1:${port}`)
  const revoked = await revokeEach(gateways, tokens)
  const provider = (value: number) => ({ peer: { name: 'oidc-provider', value } })
  const perCore = (cpuMs: number) => 1_000 / cpuMs
  return [
    row('1,000 agents polling at 5 s, p50', 'ms', 'less', polledUs.p50, provider(polledThem.p50)),
    row('1,000 agents polling at 5 s, p99', 'ms', 'less', polledUs.p99, {
      ...provider(polledThem.p99),
      target: { value: 50 },
    }),
    row('CPU of a poll, gateway and oauth', 'ms', 'less', polledUs.cpuMs, provider(polledThem.cpuMs)),
    row('introspection that asks oauth, p50 of 50 at once', 'ms', 'less', introspected.asked.p50, provider(theirs.p50)),
    row('CPU of one, asker and oauth', 'ms', 'less', introspected.asked.cpuMs, provider(theirs.cpuMs)),
    row('introspection from what the gateway keeps, p50 of 50 at once', 'ms', 'less', introspected.cached.p50),
    row('CPU of one', 'ms', 'less', introspected.cached.cpuMs),
    row('sign-ins per second per core, gateway and oauth', '/s', 'more', perCore(signedUs.cpuMs), {
      peer: { name: 'fastify and siwe', value: perCore(signedThem.cpuMs) },
    }),
    row('revocation to the last gateway’s refusal, p50', 'ms', 'less', revoked.p50),
    row('revocation to the last gateway’s refusal, p99', 'ms', 'less', revoked.p99, { target: { value: 100 } }),
    row(`accepted after the 204, of ${revoked.before} accepted in all`, '', 'less', revoked.accepted, {
      target: { value: 0 },
    }),
  ]
}

export const figure: Figure = {
  title: 'Identity',
  method:
    'Three gateways and one process of every other service run over NATS, Redis and Postgres, with widened rate limits. Each gateway is asked every 5 s whether it is ready, as in the chart. Polls leave another process at scheduled moments, for 60 s that only warm up and 30 s that count, and each must be answered `authorization_pending`. Introspection is requested over the bus, as a gateway does, 50 at a time, for 200 tokens. Sign-ins present messages that were signed in advance, 16 at a time. 200 links are ended one after the other while each token is used at every gateway without a pause, so both cores are busy. The peers keep everything in memory and are one process: `oidc-provider` over HTTP, and fastify with `@signinwithethereum/siwe` and viem. Their CPU is that of their whole process; ours is that of the named processes, without Postgres, NATS and Redis.',
  async run() {
    const folder = temporaryFolder('callboard-bench-')
    const [oidc, siwe] = [await startOidcProvider(), await startSiweServer()]
    const [replicas, env] = [{ gateway: GATEWAYS }, { RATE_LIMITS }]
    const cluster = await startCluster({ folder, replicas, env, lookAgainMs: READINESS_EVERY_MS })
    try {
      return {
        comparisons: await measured(cluster, oidc, siwe),
        versions: { 'oidc-provider': '9.13.3', '@signinwithethereum/siwe': '4.2.1', viem: '2.57.1' },
      }
    } finally {
      await cluster.stop()
      oidc.stop()
      siwe.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
