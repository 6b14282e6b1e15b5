import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type Cluster, startCluster } from '@callboard/tools/cluster'
import { boughtKey } from './bought-key.ts'
import type { Gateway } from './gateway.ts'
import { MODELS } from './upstream-words.ts'
import { WIDE_LIMITS } from './wide-limits.ts'

/** Owners whose keys make the calls, each within its own balance. */
const OWNERS = 8

/** JSON is YAML. */
const modelsFile = (baseUrl: string) =>
  JSON.stringify({
    upstreams: [{ name: 'bench', baseUrl, shape: 'openai' }],
    models: Object.values(MODELS).map((id) => ({
      ...{ id, ownedBy: 'bench', created: 1_795_339_800, contextTokens: 32_768, maxOutputTokens: 4_096 },
      ...{ capabilities: ['chat'], price: { version: 'bench', prompt: '0.000000001', completion: '0.000000002' } },
      upstreams: [{ upstream: 'bench' }],
    })),
  })

const pidsOf = (cluster: Cluster, isOne: (target: string) => boolean): number[] =>
  cluster.members.flatMap(({ target, pid }) => (isOne(target) ? (pid ?? []) : []))

/** Our gateway and Router in processes of their own, with every other service, over NATS, Redis and Postgres. */
export async function startOurs(upstreamUrl: string): Promise<Gateway> {
  const folder = temporaryFolder('callboard-bench-')
  const ROUTER_MODELS = join(folder, 'models.yaml')
  writeFileSync(ROUTER_MODELS, modelsFile(upstreamUrl))
  const cluster = await startCluster({ folder, replicas: 1, env: { ...WIDE_LIMITS, ROUTER_MODELS } })
  const stop = async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const [gateway] = cluster.of('gateway')
    if (!gateway) throw new Error('There is no gateway')
    const { network, usdc } = cluster.chain.server
    const shop = { baseUrl: cluster.baseUrl, token: { network, asset: usdc.address } }
    const headers: Record<string, string>[] = []
    for (let owner = 0; owner < OWNERS; owner += 1) {
      const { key } = await boughtKey(shop, 1)
      headers.push({ authorization: `Bearer ${key}` })
    }
    const path = '/v1/chat/completions'
    await until('the models are served', async () => {
      const answer = await fetch(`${cluster.baseUrl}/v1/models`, { headers: headers[0] ?? {} })
      return (await answer.text()).includes(MODELS.plain)
    })
    return {
      ...{ name: 'ours', port: gateway.port, path, headers, stop },
      processes: {
        gateway: pidsOf(cluster, (target) => target === 'gateway'),
        router: pidsOf(cluster, (target) => target === 'router'),
        'nats-server': [cluster.nats.server.pid],
        redis: [cluster.redis.server.pid],
        'other services': pidsOf(cluster, (target) => target !== 'gateway' && target !== 'router'),
        postgres: [cluster.postgres.server.pid],
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
