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

/** What the chart gives a target. */
export interface TargetValues {
  readonly replicas: number
  readonly autoscaling: Autoscaling
  readonly resources: { readonly requests: { readonly cpu: string; readonly memory: string } }
}

/** The example of the chart that the page is about. */
export const EXAMPLE = 'helm/callboard/ci/autoscaling-values.yaml'

type Tree = { readonly [member: string]: unknown }
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** As helm lays values over values: members one by one, lists as a whole. */
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

/** The values of a target by the chart's own and those of the example. */
export function valuesOf(target: string): TargetValues {
  const { defaults, targets } = over(fileOf('helm/callboard/values.yaml'), fileOf(EXAMPLE)) as {
    readonly defaults: Tree
    readonly targets: Readonly<Record<string, Tree>>
  }
  return over(defaults, targets[target] ?? {}) as unknown as TargetValues
}

/** What a measure of the work is held against: the values' own, or the default. */
export function targetOf(target: string, measure: string): number {
  const found = valuesOf(target).autoscaling.work[measure] ?? targetWork()[target]?.metrics[measure]?.target
  if (found === undefined) throw new Error(`${target} is not measured by ${measure}`)
  return found
}

const UNITS: Readonly<Record<string, number>> = { m: 0.001, Mi: 1, Gi: 1_024, '': 1 }

/** Cores of `500m`, MiB of `1Gi`. */
export function quantity(text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(m|Mi|Gi)?$/.exec(text) ?? []
  const factor = UNITS[unit]
  if (!amount || factor === undefined) throw new Error(`${text} is no quantity that is used here`)
  return Number(amount) * factor
}

/** Connections to Postgres that each replica may open: its pool and the one that listens. */
export const connectionsOfAReplica = (): number => Number(RuntimeConfig.shape.DATABASE_POOL_SIZE.parse(undefined)) + 1
