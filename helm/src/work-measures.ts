import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { parse } from 'yaml'

/** What a target is scaled by, as deploy/monitoring declares it. */
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

/** By target what `autoscaling.kind: work` and `keda` scale it by. */
export function targetWork(): Readonly<Record<string, TargetWork>> {
  const text = readFileSync(join(ROOT, 'deploy/monitoring/scaling/work.yaml'), 'utf8')
  return (parse(text) as { readonly targets: Readonly<Record<string, TargetWork>> }).targets
}

/** The names under which the values know the measures, of all targets. */
export const workMeasures = (): string[] => Object.values(targetWork()).flatMap(({ metrics }) => Object.keys(metrics))
