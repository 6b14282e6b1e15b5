import { targetWork } from '../work-measures.ts'
import { LOOK_SECONDS, MEASURE_AGE_SECONDS, START_SECONDS, WEEK_S } from './assumptions.ts'
import { Autoscaler, type Measure, type Pods } from './autoscaler.ts'
import { quantity, type TargetValues, targetOf, valuesOf } from './chart-values.ts'
import { type Reading, type Workload, workloads } from './workloads.ts'

/** The course of a week for one target. */
export interface Week {
  readonly target: string
  /** The most replicas of each of its 168 hours. */
  readonly hours: readonly number[]
  /** Replica-hours of the whole week. */
  readonly replicaHours: number
  readonly changes: number
  /** Minutes in which the work needed more cores than there were event loops. */
  readonly overloadedMinutes: number
  /** The worst value of each metric. */
  readonly worst: Readonly<Record<string, number>>
}

const HOUR_S = 3_600
const MINUTE_S = 60

/** The autoscaler's view of a target: use per pod over its request, and the work metrics. */
function seenOf(
  target: string,
  { autoscaling, resources }: TargetValues,
): (reading: Reading, ready: number) => Measure[] {
  const work = autoscaling.kind === 'work' ? targetWork()[target] : undefined
  const targets = {
    cpu: autoscaling.targetCPUUtilizationPercentage,
    memory: autoscaling.targetMemoryUtilizationPercentage,
  }
  const requested = { cpu: quantity(resources.requests.cpu), memory: quantity(resources.requests.memory) }
  const kinds = (work?.resources ?? ['cpu']).filter((resource) => targets[resource] > 0)
  const metrics = Object.entries(work?.metrics ?? {}).map(([name, { per }]) => {
    const kind = per === 'replica' ? ('average' as const) : ('value' as const)
    return { name, kind, target: targetOf(target, name) }
  })
  return ({ cores, memoryMib, work: shown }, ready) => {
    const used = { cpu: Math.min(1, cores / ready), memory: memoryMib }
    return [
      ...kinds.map((resource): Measure => {
        const percent = (100 * used[resource]) / requested[resource]
        return { kind: 'utilization', percent, target: targets[resource] }
      }),
      ...metrics.map(({ name, kind, target }): Measure => ({ kind, value: shown[name] ?? 0, target })),
    ]
  }
}

/** Pods of a target: a requested one becomes ready after a while, a removed one is gone at once. */
class Fleet {
  #ready: number
  #starting: { readonly readyAt: number; count: number }[] = []

  constructor(replicas: number) {
    this.#ready = replicas
  }

  at(second: number): Pods {
    for (const one of this.#starting.filter(({ readyAt }) => readyAt <= second)) this.#ready += one.count
    this.#starting = this.#starting.filter(({ readyAt }) => readyAt > second)
    return { ready: this.#ready, starting: this.#starting.reduce((sum, { count }) => sum + count, 0) }
  }

  scale(second: number, to: number): void {
    const { ready, starting } = this.at(second)
    if (to > ready + starting) this.#starting.push({ readyAt: second + START_SECONDS, count: to - ready - starting })
    if (to < ready + starting) {
      this.#starting = []
      this.#ready = Math.min(ready, to)
      if (to > this.#ready) this.#starting.push({ readyAt: second + START_SECONDS, count: to - this.#ready })
    }
  }
}

/** One decision: its pods, its metrics, and its result. */
export interface Look extends Pods {
  /** In the order of the autoscaler's metrics. */
  readonly measures: readonly Measure[]
  readonly decided: number
}

/** Simulates a week of one target with the HorizontalPodAutoscaler's algorithm and the chart's values. */
function weekOf(target: string, workload: Workload, onLook: (look: Look) => void = () => {}): Week {
  const values = valuesOf(target)
  const { minReplicas, maxReplicas, behavior } = values.autoscaling
  const seeing = seenOf(target, values)
  const autoscaler = new Autoscaler({ minReplicas, maxReplicas, behavior })
  const fleet = new Fleet(minReplicas)
  const hours = new Array<number>(WEEK_S / HOUR_S).fill(0)
  const worst: Record<string, number> = {}
  const seen: Measure[][] = []
  let [seconds, changes, overloaded] = [0, 0, 0]
  for (let second = 0; second < WEEK_S; second += LOOK_SECONDS) {
    const pods = fleet.at(second)
    const all = pods.ready + pods.starting
    const reading = workload(second, pods.ready)
    seen.push(seeing(reading, pods.ready))
    if (seen.length > MEASURE_AGE_SECONDS / LOOK_SECONDS + 1) seen.shift()
    const measures = seen[0] ?? []
    const next = autoscaler.decide(second, measures, pods)
    onLook({ ...pods, measures, decided: next })
    if (next !== all) changes++
    fleet.scale(second, next)
    const hour = Math.floor(second / HOUR_S)
    hours[hour] = Math.max(hours[hour] ?? 0, next)
    seconds += all * LOOK_SECONDS
    if (reading.cores > pods.ready) overloaded += LOOK_SECONDS
    for (const [name, value] of Object.entries(reading.work)) worst[name] = Math.max(worst[name] ?? 0, value)
  }
  return { target, hours, replicaHours: seconds / HOUR_S, changes, overloadedMinutes: overloaded / MINUTE_S, worst }
}

/** Every decision of the week, by target. */
export function looks(): Readonly<Record<string, readonly Look[]>> {
  const all = Object.entries(workloads()).map(([target, workload]) => {
    const made: Look[] = []
    weekOf(target, workload, (look) => made.push(look))
    return [target, made] as const
  })
  return Object.fromEntries(all)
}

export const weeks = (): Week[] => Object.entries(workloads()).map(([target, workload]) => weekOf(target, workload))
