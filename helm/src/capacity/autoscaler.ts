import { type Behavior, limited, type ScaleEvent, stabilized } from './behavior.ts'

/** One metric of a target at one moment, as the HorizontalPodAutoscaler receives it. */
export type Measure =
  /** Resource use of the ready pods over their requests, both in percent. */
  | { readonly kind: 'utilization'; readonly percent: number; readonly target: number }
  /** One number that is compared with its target. */
  | { readonly kind: 'value'; readonly value: number; readonly target: number }
  /** One number that is divided among the replicas. */
  | { readonly kind: 'average'; readonly value: number; readonly target: number }

export interface Pods {
  readonly ready: number
  /** Requested and not ready yet. */
  readonly starting: number
}

export interface Limits {
  readonly minReplicas: number
  readonly maxReplicas: number
  readonly behavior: Behavior
}

/** Differences below a tenth have no effect. @source kube-controller-manager, --horizontal-pod-autoscaler-tolerance */
const TOLERANCE = 0.1

const isNear = (ratio: number): boolean => ratio >= 1 - TOLERANCE && ratio <= 1 + TOLERANCE

/** The controller truncates use to whole percent, and other numbers to whole thousandths. */
const thousandths = (value: number): number => Math.trunc(value * 1_000)

/**
 * The replicas that one metric requires: ceil(replicas × value ÷ target), unless the two are within a tenth.
 * @source Kubernetes, "Horizontal Pod Autoscaling", algorithm details;
 *   pkg/controller/podautoscaler/replica_calculator.go
 */
export function wantedBy(measure: Measure, { ready, starting }: Pods): number {
  const all = ready + starting
  if (measure.kind === 'average') {
    const [value, target] = [thousandths(measure.value), thousandths(measure.target)]
    return isNear(value / (target * all)) ? all : Math.ceil(value / target)
  }
  if (measure.kind === 'value') {
    const ratio = thousandths(measure.value) / thousandths(measure.target)
    return isNear(ratio) ? all : Math.ceil(ratio * ready)
  }
  const ratio = Math.trunc(measure.percent) / measure.target
  if (starting === 0 || ratio <= 1) return isNear(ratio) ? all : Math.ceil(ratio * ready)
  // Starting pods count as idle when scaling up, so that none is requested twice.
  const damped = Math.trunc((measure.percent * ready) / all) / measure.target
  return damped < 1 || isNear(damped) ? all : Math.max(all, Math.ceil(damped * all))
}

/** What a HorizontalPodAutoscaler remembers about one target. Called every 15 s, like the controller. */
export class Autoscaler {
  readonly #limits: Limits
  #recommendations: { readonly at: number; readonly replicas: number }[] = []
  #events: ScaleEvent[] = []

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** @param at seconds @returns the desired number of replicas: the most that any metric requires, within the limits */
  decide(at: number, measures: readonly Measure[], pods: Pods): number {
    const { minReplicas, maxReplicas, behavior } = this.#limits
    const current = pods.ready + pods.starting
    const wanted = Math.max(...measures.map((measure) => wantedBy(measure, pods)))
    const asked = Math.min(maxReplicas, Math.max(minReplicas, wanted))
    this.#recommendations.push({ at, replicas: asked })
    const longest = Math.max(behavior.scaleUp.stabilizationWindowSeconds, behavior.scaleDown.stabilizationWindowSeconds)
    this.#recommendations = this.#recommendations.filter((one) => one.at >= at - longest)
    const settled = stabilized(behavior, { at, current, recommendations: this.#recommendations })
    const next = limited(behavior, { at, current, wanted: settled, events: this.#events })
    if (next !== current)
      this.#events = [...this.#events.filter((one) => one.at > at - 1_800), { at, change: next - current }]
    return Math.min(maxReplicas, Math.max(minReplicas, next))
  }
}
