import { rmSync } from 'node:fs'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type Cluster, startCluster } from '@callboard/tools/cluster'
import type { Comparison, Figure, Findings, Table } from '../figure.ts'
import { inTurns, type Load, startPeer } from '../gateway/side.ts'

const wide = { burst: 10_000_000, perMinute: 600_000_000 }
/** One answered from the gateway's memory, one by a service from its own memory. */
const ROUTES = { cached: '/.well-known/oauth-authorization-server', hop: '/.well-known/x402' }

const pidsOf = (cluster: Cluster, ...targets: string[]) =>
  targets.flatMap((target) => cluster.of(target).flatMap(({ pid }) => pid ?? []))

const compared = (what: string, ours: Load, peer: Load, name: string): Comparison[] => [
  {
    what: `${what}, requests`,
    unit: '/s',
    better: 'more',
    ours: ours.perSecond,
    peer: { name, value: peer.perSecond },
    target: { ratio: 0.8 },
  },
  {
    what: `${what}, CPU of a request in all processes`,
    unit: 'µs',
    better: 'less',
    ours: ours.cpuMicros,
    peer: { name, value: peer.cpuMicros },
  },
  { what: `${what}, p99`, unit: 'ms', better: 'less', ours: ours.p99Ms, peer: { name, value: peer.p99Ms } },
]

const tableOf = (steps: readonly (readonly [what: string, load: Load])[]): Table => ({
  title: 'CPU of a request in all processes',
  columns: ['µs', 'more than the row before'],
  rows: steps.map(([what, { cpuMicros }], index) => [
    what,
    cpuMicros,
    cpuMicros - (steps[index - 1]?.[1].cpuMicros ?? 0),
  ]),
})

async function measured(cluster: Cluster): Promise<Pick<Findings, 'comparisons' | 'tables'>> {
  const gateway = cluster.of('gateway')[0]
  if (!gateway) throw new Error('There is no gateway')
  const direct = `http://127.0.0.1:${gateway.port}`
  const bodyOf = async (path: string) => (await fetch(direct + path)).text()
  const document = { PEER_BODY: await bodyOf(ROUTES.cached), NATS_URL: '' }
  const bare = await startPeer(document)
  const prepared = await startPeer({ ...document, PEER_PREPARED: 'yes' })
  const bus = { NATS_URL: cluster.urls.natsUrl }
  const responder = await startPeer({ ...bus, PEER_BODY: await bodyOf(ROUTES.hop), PEER_ROLE: 'responder' })
  const front = await startPeer(bus)
  const speaking = await startPeer({ ...bus, PEER_HEADERS: 'yes' })
  const counting = await startPeer({ ...bus, PEER_HEADERS: 'yes', REDIS_URL: cluster.urls.redisUrl })
  try {
    const cached = await inTurns({
      ours: { url: direct + ROUTES.cached, pids: pidsOf(cluster, 'gateway') },
      peer: { url: bare.url, pids: [bare.pid] },
      prepared: { url: prepared.url, pids: [prepared.pid] },
    })
    const hop = await inTurns({
      ours: { url: direct + ROUTES.hop, pids: pidsOf(cluster, 'gateway', 'x402-facilitator') },
      peer: { url: front.url, pids: [front.pid, responder.pid] },
      speaking: { url: speaking.url, pids: [speaking.pid, responder.pid] },
      counting: { url: counting.url, pids: [counting.pid, responder.pid] },
    })
    const comparisons: Comparison[] = [
      ...compared('read of a cached route', cached.ours, cached.peer, 'bare fastify'),
      {
        what: 'read of a cached route, CPU of a request beside prepared bytes',
        unit: 'µs',
        better: 'less',
        ours: cached.ours.cpuMicros,
        peer: { name: 'bare fastify with a Buffer', value: cached.prepared.cpuMicros },
      },
      ...compared('gateway → NATS → service', hop.ours, hop.peer, 'bare fastify → NATS → responder'),
    ]
    const steps = [
      ['bare fastify → NATS → responder', hop.peer],
      ['the same, with JSON both ways and the headers of a call', hop.speaking],
      ['the same, and a rate limit in Redis', hop.counting],
      ['ours: also input, hooks, metrics, log, trace context, entity tag, deadlines', hop.ours],
    ] as const
    return { comparisons, tables: [tableOf(steps)] }
  } finally {
    for (const { child } of [bare, prepared, responder, front, speaking, counting]) child.kill()
  }
}

export const figure: Figure = {
  title: 'What the gateway adds',
  method:
    'autocannon runs with 50 connections for 4 s per turn; both sides take turns, and the median of three counts. The peer answers the same bytes from one fastify route without hooks; for the hop, it requests them from a bare NATS responder. The peer sends a string, which is converted to bytes for every answer. Ours keeps the document as bytes, so a second peer, without a target, does the same. Ours authenticates, limits rates, checks input, carries trace and deadline, and presents the answer.',
  async run() {
    const folder = temporaryFolder('callboard-bench-')
    const RATE_LIMITS = JSON.stringify({ read: wide, payment: wide })
    const cluster = await startCluster({ folder, replicas: 1, env: { RATE_LIMITS } })
    try {
      return {
        ...(await measured(cluster)),
        versions: { fastify: '5.12.8', autocannon: '9.0.0', '@nats-io/transport-node': '3.4.0' },
      }
    } finally {
      await cluster.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
