import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { FINDINGS, livenessProber as operations, type ProbeState } from '@callboard/contract'
import {
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
} from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { VERDICTS } from '../src/domain/probe-state.ts'
import { livenessProber } from '../src/index.ts'
import { type BrokenSeller, brokenSellers } from './broken-sellers.ts'
import { authority } from './certificates.ts'
import { paywall } from './offers.ts'
import { type Counted, httpServer, tcpServer } from './servers.ts'

let database: TestDatabase
let services: TestServices
const cas = getCACertificates('default')

beforeAll(async () => {
  setDefaultCACertificates([...cas, authority])
  database = await testDatabase(inject('postgresUrl'))
  services = await startTestServices([livenessProber], {
    databaseUrl: database.url,
    env: { DEVNET: UNREACHABLE_DEVNET, PROBE_ALLOW_LOOPBACK: 'true', PROBE_TIMEOUT_MS: '1500' },
  })
})
afterAll(async () => {
  await services.stop()
  await database.drop()
  setDefaultCACertificates(cas)
})

/** The seller's server; none if only its URL is broken. */
async function start({ http, tls, tcp }: BrokenSeller): Promise<Pick<Counted, 'origin' | 'close'>> {
  if (http) return httpServer(http)
  if (tcp) return tcpServer(tcp)
  if (!tls) return { origin: 'http://127.0.0.1', close: async () => {} }
  const server = createSecureServer(tls, paywall())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const close = () => new Promise<void>((closed) => void server.close(() => closed()))
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

describe('a seller that', () => {
  test.each(brokenSellers.map((seller) => [seller.name, seller] as const))('%s', async (_name, seller) => {
    const server = await start(seller)
    const url = seller.url?.(server.origin) ?? server.origin
    const report = granted(await services.call(operations.probe, { url, method: seller.method }))
    await server.close()
    const { mend, ...says } = seller.says
    expect(report).toMatchObject(says)
    expect(report.mend).toMatch(mend)
  })

  test('is broken is one of at least forty, each in one way', () => {
    expect(brokenSellers.length).toBeGreaterThanOrEqual(40)
    expect(new Set(brokenSellers.map(({ name }) => name)).size).toBe(brokenSellers.length)
  })
})

test('every state has a finding, and every broken one is among the sellers', () => {
  const states = new Set<ProbeState>(Object.values(FINDINGS).map(({ state }) => state))
  expect([...states].sort()).toEqual(Object.keys(VERDICTS).sort())
  const met = new Set(brokenSellers.map(({ says }) => says.state))
  // DNS failures cannot come from a seller on loopback: see guarded-fetch.test.ts.
  expect(Object.keys(VERDICTS).filter((state) => !met.has(state))).toEqual(['dns'])
})
