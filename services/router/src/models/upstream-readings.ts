import type { Reading } from '@callboard/runtime'
import type { Resources } from '../context.ts'
import { OUTCOMES } from '../domain/breaker.ts'

/** Which upstreams of each model are passed over for their failures, as gauges show it when metrics are asked. */
export function upstreamReadings({
  models: { current },
  health,
  metering,
}: Pick<Resources, 'models' | 'health' | 'metering'>): Reading[] {
  // A counter that begins with its first failure shows no increase of it.
  for (const { name: upstream } of current.upstreams) {
    metering.disagreements.inc({ upstream }, 0)
    for (const outcome of OUTCOMES) metering.attempts.inc({ upstream, outcome }, 0)
  }
  return current.all.flatMap(({ id, upstreams }) =>
    upstreams.map(({ upstream: name, model = id }) => ({
      gauge: metering.passedOver,
      labels: { model: id, upstream: name },
      value: health.isFailing({ upstream: current.upstreamOf(name), model }) ? 1 : 0,
    })),
  )
}
