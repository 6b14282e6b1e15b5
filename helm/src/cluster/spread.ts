import type { Pod, SpreadConstraint } from './release.ts'

/** How uneven one constraint's pods are, as the scheduler computes it. */
export interface Skew {
  /** The pods of the constraint, and its topology key. */
  readonly of: string
  readonly hard: boolean
  readonly maxSkew: number
  /** Pods in the fullest domain minus those in the emptiest. */
  readonly skew: number
}

const selectorOf = (constraint: SpreadConstraint, pod: Pod): Readonly<Record<string, string>> => ({
  ...constraint.labelSelector?.matchLabels,
  ...Object.fromEntries((constraint.matchLabelKeys ?? []).map((key) => [key, pod.metadata.labels[key] ?? ''])),
})

const picks = (selector: Readonly<Record<string, string>>, { metadata }: Pod): boolean =>
  Object.entries(selector).every(([key, value]) => metadata.labels[key] === value)

/**
 * The skew of every spread constraint of the pods, each constraint once per set of selected pods.
 * @param domainsOf the domains of a topology key, and the domain of each node
 * @source core/v1, TopologySpreadConstraint: maxSkew, matchLabelKeys
 */
export function skews(
  pods: readonly Pod[],
  domainsOf: (topologyKey: string) => { readonly all: readonly string[]; readonly of: (node: string) => string },
): Skew[] {
  const found = new Map<string, Skew>()
  for (const pod of pods)
    for (const constraint of pod.spec.topologySpreadConstraints ?? []) {
      const selector = selectorOf(constraint, pod)
      const of = `${constraint.topologyKey} of ${JSON.stringify(selector)}`
      if (found.has(of)) continue
      const { all, of: domainOf } = domainsOf(constraint.topologyKey)
      const counts = new Map(all.map((domain) => [domain, 0]))
      for (const { spec } of pods.filter((one) => picks(selector, one))) {
        const domain = domainOf(spec.nodeName ?? '')
        counts.set(domain, (counts.get(domain) ?? 0) + 1)
      }
      const skew = Math.max(...counts.values()) - Math.min(...counts.values())
      found.set(of, { of, hard: constraint.whenUnsatisfiable === 'DoNotSchedule', maxSkew: constraint.maxSkew, skew })
    }
  return [...found.values()]
}
