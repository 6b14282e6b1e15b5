export interface Policy {
  readonly type: 'Pods' | 'Percent'
  readonly value: number
  readonly periodSeconds: number
}

export interface Rules {
  readonly stabilizationWindowSeconds: number
  /** Of several policies the most permissive counts. */
  readonly policies: readonly Policy[]
}

/** `behavior` of a HorizontalPodAutoscaler, as the chart renders it. */
export interface Behavior {
  readonly scaleUp: Rules
  readonly scaleDown: Rules
}

/** A change of the number of replicas. */
export interface ScaleEvent {
  /** Seconds. */
  readonly at: number
  readonly change: number
}

interface Moment {
  readonly at: number
  readonly current: number
}

/**
 * Of the recommendations within each window, the least that is still above the present number, or the most that is
 * still below.
 * @source pkg/controller/podautoscaler/horizontal.go, stabilizeRecommendationWithBehaviors
 */
export function stabilized(
  { scaleUp, scaleDown }: Behavior,
  {
    at,
    current,
    recommendations,
  }: Moment & { recommendations: readonly { readonly at: number; readonly replicas: number }[] },
): number {
  const within = (seconds: number) =>
    recommendations.filter((one) => one.at > at - seconds || one.at === at).map(({ replicas }) => replicas)
  const up = Math.min(...within(scaleUp.stabilizationWindowSeconds))
  const down = Math.max(...within(scaleDown.stabilizationWindowSeconds))
  return Math.min(Math.max(current, up), Math.max(up, down))
}

/**
 * Limits a step to what the policies allow.
 * @source horizontal.go, calculateScaleUpLimitWithScalingRules and calculateScaleDownLimitWithBehaviors
 */
export function limited(
  { scaleUp, scaleDown }: Behavior,
  { at, current, wanted, events }: Moment & { readonly wanted: number; readonly events: readonly ScaleEvent[] },
): number {
  const startOf = ({ periodSeconds }: Policy) =>
    current - events.filter((one) => one.at > at - periodSeconds).reduce((sum, { change }) => sum + change, 0)
  if (wanted > current) {
    const most = scaleUp.policies.map((policy) =>
      policy.type === 'Pods' ? startOf(policy) + policy.value : Math.ceil(startOf(policy) * (1 + policy.value / 100)),
    )
    return Math.max(current, Math.min(wanted, Math.max(...most)))
  }
  const least = scaleDown.policies.map((policy) =>
    policy.type === 'Pods' ? startOf(policy) - policy.value : Math.trunc(startOf(policy) * (1 - policy.value / 100)),
  )
  return Math.min(current, Math.max(wanted, Math.min(...least)))
}
