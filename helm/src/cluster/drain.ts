import { setTimeout as wait } from 'node:timers/promises'
import type { KubeApi } from './api.ts'
import type { Pod } from './release.ts'

/** How long a drain retries where a budget refuses an eviction. */
const WITHIN_MS = 120_000
const AGAIN_MS = 50

/** The result of a drain. */
export interface Drained {
  readonly evicted: number
  /** Evictions that a budget refused and that were retried. */
  readonly refused: number
}

/** Makes a node unschedulable, or schedulable again. */
export const cordon = (api: KubeApi, node: string, unschedulable: boolean): Promise<unknown> =>
  api.patch(`/api/v1/nodes/${node}`, { spec: { unschedulable } })

/**
 * Drains a node as `kubectl drain` does: cordons it, and evicts every pod of a namespace on it, all at once, retrying
 * where a budget refuses.
 * @throws Error where a budget delays the node for two minutes
 */
export async function drain(api: KubeApi, node: string, namespace: string): Promise<Drained> {
  await cordon(api, node, true)
  const pods: readonly Pod[] = (
    await api.get(`/api/v1/namespaces/${namespace}/pods?fieldSelector=spec.nodeName%3D${node}`)
  ).items
  const refusals = await Promise.all(pods.map(({ metadata }) => evict(api, namespace, metadata.name)))
  return { evicted: pods.length, refused: refusals.reduce((sum, count) => sum + count, 0) }
}

/** @returns how often it was refused */
async function evict(api: KubeApi, namespace: string, name: string): Promise<number> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  const end = performance.now() + WITHIN_MS
  for (let refused = 0; ; refused += 1) {
    const { status, body } = await api.ask('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, eviction)
    if (status === 201 || status === 404) return refused
    if (status !== 429 || performance.now() > end)
      throw new Error(`${name} is not evicted, ${status}: ${body?.message}`)
    await wait(AGAIN_MS)
  }
}
