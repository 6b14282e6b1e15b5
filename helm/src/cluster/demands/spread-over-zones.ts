import type { KubeApi } from '../api.ts'
import { ZONE_LABEL, ZONES } from '../nodes.ts'
import type { Release } from '../release.ts'
import { skews } from '../spread.ts'
import { demandNothing } from './demand.ts'

interface Node {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
}

/**
 * Every pod of a release is on a node, and spread over zones as evenly as each constraint requires, including soft
 * ones: there is enough room.
 * @returns how many, and their distribution
 */
export async function spreadOverZones(api: KubeApi, release: Release): Promise<string> {
  const [pods, { items }] = await Promise.all([release.pods(), api.get('/api/v1/nodes')])
  const homeless = pods
    .filter(({ spec }) => spec.nodeName === undefined)
    .map(({ metadata }) => `${metadata.name} is on no node`)
  demandNothing(homeless)
  const nodes = new Map((items as Node[]).map(({ metadata }) => [metadata.name, metadata.labels]))
  const found = skews(pods, (key) => ({
    all: [...new Set([...nodes.values()].map((labels) => labels[key] ?? ''))],
    of: (node) => nodes.get(node)?.[key] ?? '',
  }))
  demandNothing(
    found
      .filter(({ skew, maxSkew }) => skew > maxSkew)
      .map(({ of, skew, maxSkew }) => `${of}: ${skew} apart, not ${maxSkew}`),
  )
  const zoneOf = ({ spec }: (typeof pods)[number]) => nodes.get(spec.nodeName ?? '')?.[ZONE_LABEL]
  const counts = ZONES.map((zone) => pods.filter((pod) => zoneOf(pod) === zone).length)
  const hard = found.filter((one) => one.hard).length
  return `${pods.length} pods, ${counts.join(' + ')} over the zones, ${found.length} constraints held, ${hard} of them hard`
}
