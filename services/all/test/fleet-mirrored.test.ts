import { listings as operations } from '@callboard/contract'
import { listings } from '@callboard/listings'
import { livenessProber } from '@callboard/liveness-prober'
import {
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
  until,
} from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type SourceServer, sourceServer } from '../../listings/test/source-server.ts'
import { ELSEWHERE, NETWORK, startFacilitator } from '../../liveness-prober/test/fleet/facilitator.ts'
import { findJavascript, findPythonOf, findRust } from '../../liveness-prober/test/fleet/hosts.ts'
import { fleet, type Host, PAYEE, type RealServer, USDC_ON_BASE } from '../../liveness-prober/test/fleet/servers.ts'
import { type Sellers, startRecorded, startSellers } from '../../liveness-prober/test/fleet/start.ts'

const [javascript, version2, version1, rust] = await Promise.all([
  findJavascript(),
  findPythonOf(2),
  findPythonOf(1),
  findRust(),
])
const runners = { javascript, 'python-v2': version2, 'python-v1': version1, rust } as const

const isOpen = (host: Host): boolean => host === 'recorded' || !('closed' in runners[host])
const programsOf = (host: Host) => [...new Set(fleet.filter((one) => one.host === host).map(({ program }) => program))]
const open = fleet.filter(({ host }) => isOpen(host))

/** Why a server is left out of this run. */
function whyNot({ host }: RealServer): string {
  const runner = host === 'recorded' ? undefined : runners[host]
  return runner && 'closed' in runner ? runner.closed : ''
}

/** What a server's probe should report, as far as a mirrored row stores it. */
interface Said {
  readonly state: string
  readonly finding: string
  readonly result?: {
    readonly kind?: string
    readonly accepts?: readonly { readonly payable: boolean }[]
    readonly tools?: readonly { readonly accepts: readonly object[] }[]
    readonly operations?: readonly { readonly method?: string }[]
  }
}

let database: TestDatabase
let services: TestServices
let facilitator: Awaited<ReturnType<typeof startFacilitator>>
let source: SourceServer
const running: Sellers[] = []

beforeAll(async () => {
  facilitator = await startFacilitator()
  const env = { FACILITATOR: facilitator.origin, NETWORK, ELSEWHERE, PAY_TO: PAYEE }
  running.push(await startRecorded(programsOf('recorded')))
  for (const host of ['javascript', 'python-v2', 'python-v1', 'rust'] as const) {
    const runner = runners[host]
    if (!('closed' in runner)) running.push(await startSellers(runner, programsOf(host), env))
  }
  database = await testDatabase(inject('postgresUrl'))
  // An imitation of Base: by default these packages are paid in its USDC.
  const base = { ...JSON.parse(UNREACHABLE_DEVNET), chainId: 8453, usdc: USDC_ON_BASE, usdcName: 'USD Coin' }
  services = await startTestServices([livenessProber, listings], {
    databaseUrl: database.url,
    env: { DEVNET: JSON.stringify(base), PROBE_ALLOW_LOOPBACK: 'true', PROBE_MIRROR_PAUSE_MS: '0' },
  })
  // The source gives a wrong price and payee for each of them.
  const accepts = [
    { scheme: 'exact', network: NETWORK, asset: USDC_ON_BASE, amount: '1', payTo: `0x${'1'.repeat(40)}` },
  ]
  const items = open.map((server) => {
    const input = { type: 'http', method: methodOf(server) }
    return { resource: urlOf(server), type: 'http', accepts, extensions: { bazaar: { info: { input } } } }
  })
  source = await sourceServer(
    (_req, res) => void res.end(JSON.stringify({ items, pagination: { total: items.length } })),
  )
  const corpus = { name: 'corpus', kind: 'facilitator', url: source.origin, filters: {}, intervalHours: 6 } as const
  granted(await services.call(operations.sources, { action: 'add', source: corpus }))
}, 240_000)
afterAll(async () => {
  await Promise.all([
    services?.stop(),
    facilitator?.close(),
    source?.close(),
    ...running.map((sellers) => sellers.close()),
  ])
  await database?.drop()
})

const methodOf = ({ method, says }: RealServer): string =>
  method ?? (says as Said).result?.operations?.[0]?.method ?? 'GET'

function urlOf({ program, path }: RealServer): string {
  const origin = running.map(({ origins }) => origins[program]).find((one) => one !== undefined)
  return `${origin}${path}`
}

interface Row {
  readonly state: string
  readonly fact: {
    readonly kind: string
    readonly state: string
    readonly finding: string
    readonly accepts: readonly { readonly payable: boolean; readonly payTo: string; readonly amount: string }[]
  } | null
}

async function probed(server: RealServer): Promise<Row | undefined> {
  const [row] = await database.query<Row & { [column: string]: unknown }>(
    `select state, fact from listings.mirrored where url = $1 and method = $2`,
    [urlOf(server), methodOf(server)],
  )
  return row?.fact ? row : undefined
}

test('the corpus has at least twelve servers of other makers', () => {
  expect(open.length).toBeGreaterThanOrEqual(isOpen('javascript') && isOpen('python-v2') ? 12 : 1)
})

describe('mirrored with the kind, price and payee of its own challenge, whatever the source says', () => {
  for (const server of fleet.filter(({ host }) => !isOpen(host)))
    test.skip(`${server.name} (${whyNot(server)})`, () => {})

  test.each(open.map((server) => [server.name, server] as const))('%s', async (_name, server) => {
    const row = await until('it was probed', () => probed(server), 60_000)
    const { state, finding, result } = server.says as Said
    expect(row.fact).toMatchObject({ state, finding })
    expect(row.state).toBe(finding === 'payable' ? 'payable' : 'unpayable')
    if (result?.kind === 'mpp') expect(row.fact?.kind).toBe('mpp')
    if (result?.kind === 'mcp') {
      const accepts = result.tools
        ?.flatMap((tool) => tool.accepts)
        .map(({ extra: _, ...entry }: { extra?: object }) => entry)
      expect(row.fact).toMatchObject({ kind: 'mcp', accepts })
      expect(row.fact?.accepts).toMatchObject([{ payTo: PAYEE, amount: '10000' }])
    }
    if (finding !== 'payable') return
    expect(row.fact).toMatchObject({ kind: 'x402', accepts: result?.accepts ?? [] })
    expect(row.fact?.accepts.filter(({ payable }) => payable)).toMatchObject([{ payTo: PAYEE, amount: '10000' }])
  })
})
