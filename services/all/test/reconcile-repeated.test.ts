import { startServices } from '@callboard/runtime'
import { startTestServices } from '@callboard/testkit'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { type Exchange, openExchange } from '../../x402-facilitator/test/exchange.ts'
import { modules } from '../src/index.ts'
import { reconcile } from '../src/verbs/reconcile.ts'

const withTables = modules.filter(({ migrations }) => migrations)
let exchange: Exchange
let env: Record<string, string>
const said: string[] = []

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  env = { ...exchange.env, LINK_SIGNING_KEY: '7'.repeat(64) }
  await (await startTestServices(withTables, { databaseUrl: exchange.database.url, env })).stop()
  await exchange.database.query(
    `update listings.database_mark set restored_because = 'it stands at an earlier mark', restored_to = now()`,
  )
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
}, 120_000)
afterAll(async () => {
  vi.restoreAllMocks()
  await exchange.close()
})

async function reconciled(): Promise<number> {
  said.length = 0
  const running = await startServices(withTables, {
    env: { LOG_LEVEL: 'silent', DATABASE_URL: exchange.database.url, ...env },
    servesNothing: true,
  })
  const asked = { by: 'vitest', dryRun: false, env: { DATABASE_URL: exchange.database.url } }
  return reconcile(running, withTables, asked).finally(() => running.stop())
}
const waiting = () =>
  exchange.database.query('select restored_because from listings.database_mark where restored_because is not null')

test('a reconcile that could not rebuild the catalog rebuilds it when it is run again', async () => {
  const other = new pg.Client({ connectionString: exchange.database.url })
  await other.connect()
  await other.query(`select pg_advisory_lock(hashtextextended('rebuild:catalog', 0))`)
  await expect(reconciled()).rejects.toThrow('Another rebuild of catalog is in progress')
  expect(said.join('\n')).not.toContain('Reconciled')
  await other.end()
  expect(await reconciled()).toBe(0)
  expect(said.join('\n')).toMatch(/catalog: rebuilt from \d+ events/)
  expect(said.at(-1)).toBe('Reconciled: listings. Their processes start now.')
  expect(await waiting()).toEqual([])
})
