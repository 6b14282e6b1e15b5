import type { Env } from '@callboard/runtime'
import {
  startTestServices,
  type TestDatabase,
  type TestServices,
  type TestServicesOptions,
  testDatabase,
  UNREACHABLE_DEVNET,
} from '@callboard/testkit'
import { afterEach, beforeEach, inject } from 'vitest'
import { livenessProber } from '../src/index.ts'
import { type Counted, httpServer } from './servers.ts'

const ENV = { DEVNET: UNREACHABLE_DEVNET, PROBE_ALLOW_LOOPBACK: 'true', PROBE_POLL_MS: '20' }

/** The means of a test with several replicas. */
export interface Stage {
  readonly database: TestDatabase
  startReplica(env?: Env, clock?: TestServicesOptions['clock']): Promise<TestServices>
  /** Stops all replicas before the end of the test. */
  stopReplicas(): Promise<unknown>
  /** Starts a server that may be probed. */
  serve(handler: Parameters<typeof httpServer>[0]): Promise<Counted>
}

/** Gives each test of its file a database, on which it starts replicas, and stops everything they started. */
export function stage(ofAll: Env): Stage {
  const running: TestServices[] = []
  const servers: Counted[] = []
  let database: TestDatabase
  const stopReplicas = () => Promise.all(running.splice(0).map((services) => services.stop()))
  beforeEach(async () => {
    database = await testDatabase(inject('postgresUrl'))
  })
  afterEach(async () => {
    await stopReplicas()
    await Promise.all(servers.splice(0).map((server) => server.close()))
    await database.drop()
  })
  return {
    get database() {
      return database
    },
    async startReplica(env = {}, clock) {
      const services = await startTestServices([livenessProber], {
        databaseUrl: database.url,
        env: { ...ENV, ...ofAll, ...env },
        ...(clock ? { clock } : {}),
      })
      running.push(services)
      return services
    },
    stopReplicas,
    async serve(handler) {
      const server = await httpServer(handler)
      servers.push(server)
      return server
    },
  }
}
