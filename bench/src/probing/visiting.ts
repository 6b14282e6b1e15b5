import { setTimeout as delay } from 'node:timers/promises'
import type { Postgres } from '@callboard/embedded'
import { livenessProber } from '@callboard/liveness-prober'
import { createLogger, startServices } from '@callboard/runtime'
import { UNREACHABLE_DEVNET } from '@callboard/testkit'
import pg from 'pg'
import { publishChanged } from '../../../services/liveness-prober/test/sources.ts'
import { cpuTimeMs } from '../cpu-time.ts'
import { host } from './certificate.ts'
import { ownCpuMs, type ProbeCost } from './load.ts'

const ORIGINS = 200
const ENDPOINTS = 10
/** With this many endpoints more checks are due than one core can make, so the scheduler never waits. */
const INTERVAL_MS = 1_000
/** On a machine at its limits a connection may take too long; such a check counts, including its cost. */
const LEAST_OK = 0.99
const WARM_UP_MS = 5_000
const COUNTED_MS = 15_000

export interface VisitCost extends ProbeCost {
  readonly postgresCpuMicros: number
}

/**
 * The whole service at work: its scheduler leases origins, visits each over one new TLS connection, and commits the
 * checks, their days of a week and their events. Cost per check of everything that this process does.
 */
export async function visitOrigins(postgres: Postgres, tlsPort: number): Promise<VisitCost> {
  const url = await postgres.createDatabase('probing')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // The relay belongs to another figure: holding its lock keeps it waiting.
  await client.query(`select pg_advisory_lock(hashtext('outbox'), hashtext('liveness_prober'))`)
  const services = await startServices([livenessProber], {
    env: {
      DATABASE_URL: url,
      BASE_URL: 'http://127.0.0.1:8402',
      DEVNET: UNREACHABLE_DEVNET,
      PROBE_ALLOW_LOOPBACK: 'true',
      PROBE_INTERVAL_MS: String(INTERVAL_MS),
      PROBE_POLL_MS: '20',
      // Its origins are one site, which gets an eighth of the visits.
      PROBE_CONCURRENCY: '80',
    },
    log: createLogger('error'),
  })
  try {
    for (let at = 0; at < ORIGINS; at += 1) {
      const urls = Array.from({ length: ENDPOINTS }, (_, endpoint) => `https://${host(at)}:${tlsPort}/${endpoint}`)
      await publishChanged(services, `bench-${at}`, urls)
    }
    await client.query(WEEK)
    const counted = async () => {
      const { rows } = await client.query<{ checks: number; ok: number }>(
        'select sum(checks)::int as checks, sum(ok)::int as ok from liveness_prober.check_day where day = $1',
        [Math.floor(Date.now() / 86_400_000)],
      )
      const { checks = 0, ok = 0 } = rows[0] ?? {}
      if (ok < checks * LEAST_OK) throw new Error(`only ${ok} of ${checks} checks found the target up`)
      return checks
    }
    await delay(WARM_UP_MS)
    const before = { checks: await counted(), wall: performance.now(), cpu: ownCpuMs(), pg: cpuTimeMs(postgres.pid) }
    await delay(COUNTED_MS)
    const [cpuMs, pgMs, wallMs] = [
      ownCpuMs() - before.cpu,
      cpuTimeMs(postgres.pid) - before.pg,
      performance.now() - before.wall,
    ]
    const checks = (await counted()) - before.checks
    return {
      perSecond: (checks * 1_000) / wallMs,
      cpuMicros: (cpuMs * 1_000) / checks,
      postgresCpuMicros: (pgMs * 1_000) / checks,
    }
  } finally {
    await services.stop()
    await client.end()
    await postgres.dropDatabase('probing')
  }
}

/** A week of checks every five minutes, like an endpoint that has long been watched. */
const WEEK = `
  insert into liveness_prober.check_day (slug, method, url, day, checks, ok, neutral, buckets)
  select slug, method, url, (extract(epoch from now()) / 86400)::int - ago, 288, 288, 0, array_fill(3, array[96])
  from liveness_prober.target, generate_series(1, 7) ago
  on conflict do nothing`
