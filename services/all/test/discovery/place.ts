import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Devnet } from '@callboard/conformance'
import { freePort, openDevnet } from '@callboard/embedded'
import { gateway } from '@callboard/gateway'
import { livenessProber } from '@callboard/liveness-prober'
import { startTestServices, testDatabase, testPool } from '@callboard/testkit'
import { startNatsServer } from '@callboard/testkit/servers'
import { x402Facilitator } from '@callboard/x402-facilitator'
import { devnetSettings } from '../../src/embedded.ts'
import { Instance } from '../instance.ts'

/** Where facilitator and prober run, as seen by a test of both. */
export interface Place {
  readonly baseUrl: string
  readonly devnet: Devnet
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** Intervals short enough for a test to wait for. */
const QUICK = { DISCOVERY_PROBE_INTERVAL_MS: '400', DISCOVERY_POLL_MS: '50', PROBE_POLL_MS: '50' }

/** All services in one process, as `npm start` runs them. */
export async function openInstance(): Promise<Place> {
  const instance = new Instance()
  await instance.start(['--no-demo'], QUICK)
  const pool = testPool(instance.databaseUrl, { max: 1 })
  return {
    baseUrl: instance.baseUrl,
    devnet: instance.devnet,
    query: async (sql, values) => (await pool.query(sql, values && [...values])).rows,
    async close() {
      await pool.end()
      await instance.dispose()
    },
  }
}

/** Two replicas each of facilitator and prober behind a gateway, over NATS. */
export async function openReplicas(postgresUrl: string): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-discovery-'))
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const [database, devnet, nats] = await Promise.all([
    testDatabase(postgresUrl),
    openDevnet({ baseUrl }),
    startNatsServer({ storeDir: join(folder, 'nats') }),
  ])
  const settings = { ...(await devnetSettings(devnet)), ...QUICK, BASE_URL: baseUrl }
  const running: { stop(): Promise<void> }[] = []
  for (const module of [livenessProber, livenessProber, x402Facilitator, x402Facilitator, gateway]) {
    const env = module === gateway ? { ...settings, PORT: String(port) } : settings
    running.push(await startTestServices([module], { databaseUrl: database.url, natsUrl: nats.url, env }))
  }
  return {
    baseUrl,
    devnet: devnet as unknown as Devnet,
    query: (sql, values) => database.query(sql, values && [...values]),
    async close() {
      for (const one of running.reverse()) await one.stop()
      await Promise.all([nats.stop(), devnet.stop()])
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
