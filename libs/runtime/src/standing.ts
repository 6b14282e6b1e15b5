import { type Deployment, lacksOfRights } from './migrations.ts'
import type { Readiness, ReadinessReport } from './readiness.ts'

/** Why the process should get no traffic now, in words, and what is wrong beside that. */
export async function standingOf(deployment: Deployment, readiness: Readiness): Promise<ReadinessReport> {
  const reasons = deployment.bus.connected ? [] : ['the bus is unreachable']
  const lacks = await lacksOfRights(deployment).catch((error: Error) => [error.message])
  const { notReady, notes } = readiness.report()
  return { notReady: [...reasons, ...lacks.map((lack) => `postgres: ${lack}`), ...notReady], notes }
}
