import { livenessProber as operations } from '@callboard/contract'
import {
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
} from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { livenessProber } from '../../src/index.ts'
import type { Counted } from '../servers.ts'
import { ELSEWHERE, NETWORK, startFacilitator } from './facilitator.ts'
import { findJavascript, findPythonOf, findRust } from './hosts.ts'
import { fleet, type Host, PAYEE, USDC_ON_BASE } from './servers.ts'
import { type Sellers, startRecorded, startSellers } from './start.ts'

const [javascript, version2, version1, rust] = await Promise.all([
  findJavascript(),
  findPythonOf(2),
  findPythonOf(1),
  findRust(),
])
const runners = { javascript, 'python-v2': version2, 'python-v1': version1, rust } as const

/** Why the servers of a host cannot run on this machine; undefined if they can. */
function closed(host: Host): string | undefined {
  const runner = host === 'recorded' ? undefined : runners[host]
  return runner && 'closed' in runner ? runner.closed : undefined
}
const programsOf = (host: Host) => [...new Set(fleet.filter((one) => one.host === host).map(({ program }) => program))]

let database: TestDatabase
let services: TestServices
let facilitator: Counted
const running: Sellers[] = []

/** Whatever has started is closed at the end, even if another fails to start. */
const start = async (starting: Promise<Sellers>) => void running.push(await starting)

const startOf = (host: keyof typeof runners, env: NodeJS.ProcessEnv) => {
  const runner = runners[host]
  return 'closed' in runner ? undefined : start(startSellers(runner, programsOf(host), env))
}

beforeAll(async () => {
  facilitator = await startFacilitator()
  const env = { FACILITATOR: facilitator.origin, NETWORK, ELSEWHERE, PAY_TO: PAYEE }
  const hosts = ['javascript', 'python-v2', 'python-v1', 'rust'] as const
  const started = [start(startRecorded(programsOf('recorded'))), ...hosts.map((host) => startOf(host, env))]
  database = await testDatabase(inject('postgresUrl'))
  for (const outcome of await Promise.allSettled(started)) if (outcome.status === 'rejected') throw outcome.reason
  // An imitation of Base: by default, these packages are paid in its USDC.
  const base = { ...JSON.parse(UNREACHABLE_DEVNET), chainId: 8453, usdc: USDC_ON_BASE, usdcName: 'USD Coin' }
  services = await startTestServices([livenessProber], {
    databaseUrl: database.url,
    env: { DEVNET: JSON.stringify(base), PROBE_ALLOW_LOOPBACK: 'true' },
  })
}, 120_000)
afterAll(async () => {
  await Promise.all([services?.stop(), facilitator?.close(), ...running.map((sellers) => sellers.close())])
  await database?.drop()
})

describe('a seller that runs on', () => {
  for (const { name, host, program, path, method, says } of fleet) {
    test.skipIf(closed(host))(closed(host) ? `${name} (${closed(host)})` : name, async () => {
      const origin = running.map(({ origins }) => origins[program]).find((one) => one !== undefined)
      const url = `${origin}${path}`
      const report = granted(await services.call(operations.probe, { url, method }))
      expect(report).toMatchObject(says)
    })
  }
})

test('the fleet has twenty servers of other makers, most of which run', () => {
  expect(fleet.length).toBeGreaterThanOrEqual(20)
  expect(new Set(fleet.map(({ name }) => name)).size).toBe(fleet.length)
  expect(fleet.filter(({ host }) => host === 'recorded').length).toBeLessThanOrEqual(fleet.length / 4)
})
