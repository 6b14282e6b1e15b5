/** A metric by which an autoscaler measures a target's work. */
export interface WorkMetric {
  /** The metric's name for autoscalers, through prometheus-adapter. */
  readonly name: string
  /** A metric that the target has once it runs, from which prometheus-adapter discovers that the query is available. */
  readonly series: string
  /** One number for the whole target, as PromQL. */
  readonly expr: string
  /** `replica`: the number is divided among replicas, `target` for each; `target`: it is compared with `target`. */
  readonly per: 'replica' | 'target'
  /** The default; `autoscaling.work` in the chart's values overrides it. */
  readonly target: number
}

/** A resource whose use the cluster itself measures. */
export type ScalingResource = 'cpu' | 'memory'

/** How a target is scaled where `autoscaling.kind` is `work`. */
export interface TargetWork {
  readonly resources: readonly ScalingResource[]
  /** The limit beyond which more replicas do nothing. */
  readonly atMost?: 'chains'
  /** By their names in the chart's values. */
  readonly metrics: Readonly<Record<string, WorkMetric>>
}
