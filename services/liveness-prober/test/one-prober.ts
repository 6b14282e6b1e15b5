import {
  type EndpointSample,
  type HttpMethod,
  livenessProber as operations,
  type ProbeReport,
} from '@callboard/contract'
import type { Env } from '@callboard/runtime'
import {
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
} from '@callboard/testkit'
import { afterAll, beforeAll, inject } from 'vitest'
import { livenessProber } from '../src/index.ts'
import { type Counted, httpServer } from './servers.ts'

/** One prober, which the tests of a file share, and the servers that it probes. */
export interface OneProber {
  readonly database: TestDatabase
  readonly services: TestServices
  /** Starts a server that may be probed. */
  serve(handler: Parameters<typeof httpServer>[0]): Promise<Counted>
  /** Closes a server together with the others. */
  keep(server: Counted): Counted
  probe(url: string, asked?: Asked): Promise<ProbeReport>
}

export interface Asked {
  readonly method?: HttpMethod | undefined
  readonly sample?: EndpointSample
}

/** Starts it before the tests of its file, and stops it and the servers after them. */
export function oneProber(env: Env): OneProber {
  const servers: Counted[] = []
  let database: TestDatabase
  let services: TestServices
  beforeAll(async () => {
    database = await testDatabase(inject('postgresUrl'))
    services = await startTestServices([livenessProber], {
      databaseUrl: database.url,
      env: { DEVNET: UNREACHABLE_DEVNET, PROBE_ALLOW_LOOPBACK: 'true', ...env },
    })
  })
  afterAll(async () => {
    await services.stop()
    await Promise.all(servers.map((server) => server.close()))
    await database.drop()
  })
  function keep(server: Counted): Counted {
    servers.push(server)
    return server
  }
  return {
    get database() {
      return database
    },
    get services() {
      return services
    },
    serve: async (handler) => keep(await httpServer(handler)),
    keep,
    probe: async (url, asked = {}) => granted(await services.call(operations.probe, { url, ...asked })),
  }
}
