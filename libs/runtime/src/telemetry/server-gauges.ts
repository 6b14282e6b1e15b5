import type { ReadinessReport } from '../health/readiness.ts'
import type { ServerWatch } from '../health/server-watch.ts'
import type { ServiceModule } from '../service.ts'
import type { Metrics } from './metrics.ts'

/** Measures, whenever `/metrics` is requested, whether the servers of the process answer, and how fast. */
export function readServers(metrics: Metrics, servers: ServerWatch): void {
  metrics.collectors.add('servers', async () =>
    (await servers.look()).flatMap(({ server, seconds }) => [
      { gauge: metrics.serverUp, labels: { server }, value: Number(seconds !== undefined) },
      ...(seconds === undefined ? [] : [{ gauge: metrics.serverAnswerSeconds, labels: { server }, value: seconds }]),
    ]),
  )
}

/** Shows whether the process is ready, for each of its services, from its start on. */
export function readReady(
  metrics: Metrics,
  modules: readonly ServiceModule[],
  report: () => Promise<ReadinessReport>,
): void {
  metrics.collectors.add('readiness', async () => {
    const { notReady } = await report()
    return modules.map(({ name }) => ({
      gauge: metrics.serviceReady,
      labels: { service: name },
      value: Number(notReady.length === 0),
    }))
  })
}
