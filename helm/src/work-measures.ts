import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { parse } from 'yaml'

/** How a target is scaled, as declared by deploy/monitoring. */
export interface TargetWork {
  readonly resources: readonly ('cpu' | 'memory')[]
  readonly metrics: Readonly<Record<string, WorkMeasure>>
}

export interface WorkMeasure {
  readonly name: string
  readonly per: 'replica' | 'target'
  readonly target: number
  readonly expr: string
}

/** By target, the metrics for `autoscaling.kind: work` and `keda`. */
export function targetWork(): Readonly<Record<string, TargetWork>> {
  const text = readFileSync(join(ROOT, 'deploy/monitoring/scaling/work.yaml'), 'utf8')
  return (parse(text) as { readonly targets: Readonly<Record<string, TargetWork>> }).targets
}

/** The names of all targets' metrics in the values. */
export const workMeasures = (): string[] => Object.values(targetWork()).flatMap(({ metrics }) => Object.keys(metrics))
