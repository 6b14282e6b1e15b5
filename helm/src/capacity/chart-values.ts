import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RuntimeConfig } from '@callboard/runtime'
import { ROOT } from '@callboard/tools/generated-files'
import { parse } from 'yaml'
import { targetWork } from '../work-measures.ts'
import type { Behavior } from './behavior.ts'

interface Autoscaling {
  readonly kind: string
  readonly minReplicas: number
  readonly maxReplicas: number
  readonly targetCPUUtilizationPercentage: number
  readonly targetMemoryUtilizationPercentage: number
  readonly work: Readonly<Record<string, number>>
  readonly behavior: Behavior
}

/** The chart's values for a target. */
export interface TargetValues {
  readonly replicas: number
  readonly autoscaling: Autoscaling
  readonly resources: { readonly requests: { readonly cpu: string; readonly memory: string } }
}

/** The chart's example that the page describes. */
export const EXAMPLE = 'helm/callboard/ci/autoscaling-values.yaml'

type Tree = { readonly [member: string]: unknown }
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges values as helm does: objects by member, lists as a whole. */
const over = (below: Tree, above: Tree): Tree => ({
  ...below,
  ...Object.fromEntries(
    Object.entries(above).map(([name, value]) => {
      const under = below[name]
      return [name, isTree(under) && isTree(value) ? over(under, value) : value]
    }),
  ),
})

const fileOf = (path: string): Tree => parse(readFileSync(join(ROOT, path), 'utf8')) as Tree

/** The values of a target from the chart's defaults and the example. */
export function valuesOf(target: string): TargetValues {
  const { defaults, targets } = over(fileOf('helm/callboard/values.yaml'), fileOf(EXAMPLE)) as {
    readonly defaults: Tree
    readonly targets: Readonly<Record<string, Tree>>
  }
  return over(defaults, targets[target] ?? {}) as unknown as TargetValues
}

/** The target value of a work metric: from the values, or the default. */
export function targetOf(target: string, measure: string): number {
  const found = valuesOf(target).autoscaling.work[measure] ?? targetWork()[target]?.metrics[measure]?.target
  if (found === undefined) throw new Error(`${target} is not measured by ${measure}`)
  return found
}

const UNITS: Readonly<Record<string, number>> = { m: 0.001, Mi: 1, Gi: 1_024, '': 1 }

/** Parses `500m` into cores, `1Gi` into MiB. */
export function quantity(text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(m|Mi|Gi)?$/.exec(text) ?? []
  const factor = UNITS[unit]
  if (!amount || factor === undefined) throw new Error(`${text} is no quantity that is used here`)
  return Number(amount) * factor
}

/** The most Postgres connections of each replica: its pool and the one that listens. */
export const connectionsOfAReplica = (): number => Number(RuntimeConfig.shape.DATABASE_POOL_SIZE.parse(undefined)) + 1
