/** What an autoscaler measures the work of a target by. */
export interface WorkMetric {
  /** The metric as autoscalers ask for it, through prometheus-adapter. */
  readonly name: string
  /** A metric of the target that is there once it runs: by it prometheus-adapter notices that the question can be asked. */
  readonly series: string
  /** One number for the whole target, as PromQL. */
  readonly expr: string
  /** `replica`: the number is shared out, and each replica takes `target` of it; `target`: the number is held against `target` as it is. */
  readonly per: 'replica' | 'target'
  /** By default; `autoscaling.work` of the chart's values goes over it. */
  readonly target: number
}

/** A resource whose use the cluster itself measures. */
export type ScalingResource = 'cpu' | 'memory'

/** What a target is scaled by where `autoscaling.kind` is `work`. */
export interface TargetWork {
  readonly resources: readonly ScalingResource[]
  /** More replicas do nothing. */
  readonly atMost?: 'chains'
  /** By the name that the chart's values know them under. */
  readonly metrics: Readonly<Record<string, WorkMetric>>
}
