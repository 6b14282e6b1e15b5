import type { Deployment } from '../databases/migrations.ts'
import { reasonOf } from '../reason-of.ts'
import type { Readiness, ReadinessReport } from './readiness.ts'
import type { RightsWatch } from './rights-watch.ts'
import type { ServerState, ServerWatch } from './server-watch.ts'

/** What a started process depends on. */
export interface StandsOn extends Deployment {
  readonly servers: ServerWatch
  readonly rights: RightsWatch
}

/** From here on an answering server is slow enough to be reported. */
const SLOW_SECONDS = 1

/**
 * Why the process should get no traffic now, in words, and other problems. Without Redis a process serves most
 * requests, so its absence is only a note.
 */
export async function readyReport(stands: StandsOn, readiness: Readiness): Promise<ReadinessReport> {
  const { bus, servers } = stands
  const states = await servers.look()
  const gone = states.filter(({ problem, server }) => problem !== undefined && !(server === 'nats' && !bus.connected))
  const lacks = await rightsLacking(stands, states)
  const said = readiness.report()
  return {
    notReady: [
      ...(bus.connected ? [] : ['the bus is unreachable']),
      ...gone.filter((one) => !isNote(one)).map(words),
      ...lacks.map((lack) => `postgres: ${lack}`),
      ...said.notReady,
    ],
    notes: [...gone.filter(isNote).map(words), ...slow(states), ...said.notes],
  }
}

/** A Postgres that does not answer is not queried any further. */
async function rightsLacking(stands: StandsOn, states: readonly ServerState[]): Promise<readonly string[]> {
  const answers = states.some(({ server, problem }) => server === 'postgres' && problem === undefined)
  return answers ? stands.rights.lacks().catch((error: unknown) => [reasonOf(error)]) : []
}

const isNote = ({ server }: ServerState): boolean => server === 'redis'
const words = ({ server, problem }: ServerState): string => `${server}: ${problem}`

const slow = (states: readonly ServerState[]): string[] =>
  states.flatMap(({ server, seconds }) =>
    seconds !== undefined && seconds > SLOW_SECONDS
      ? [`${server} answers slowly: it took ${seconds.toFixed(1)} s`]
      : [],
  )
