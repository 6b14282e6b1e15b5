import type { Sample } from '@callboard/runtime'
import type { Resources } from '../context.ts'
import { OUTCOMES } from '../domain/breaker.ts'

/** Gauges, read at each scrape, of which upstreams of each model are passed over because they fail. */
export function upstreamSamples({
  models: { current },
  health,
  metering,
}: Pick<Resources, 'models' | 'health' | 'metering'>): Sample[] {
  // A counter that first appears with its first failure would show no increase.
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
