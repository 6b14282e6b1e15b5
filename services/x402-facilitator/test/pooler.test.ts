import { rmSync } from 'node:fs'
import { x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { findPgBouncer, findPreparingPgBouncer, type PgBouncer, startPgBouncer } from '@callboard/testkit/servers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, openExchange } from './exchange.ts'

const POOLERS = [
  { what: 'that pools transactions', prepares: false, found: await findPgBouncer() },
  { what: 'that keeps prepared statements', prepares: true, found: await findPreparingPgBouncer() },
].map(({ what, ...one }) => ({
  ...one,
  words: 'closed' in one.found ? `${what} (not run: ${one.found.closed})` : what,
}))

describe.for(POOLERS)('payments behind a PgBouncer $words', ({ prepares, found }) => {
  if ('closed' in found) return test.skip('is skipped', () => {})

  let folder: string
  let exchange: Exchange
  let pooler: PgBouncer
  let replicas: TestServices[]

  beforeAll(async () => {
    folder = temporaryFolder('callboard-pgbouncer-')
    exchange = await openExchange(inject('postgresUrl'))
    const kept = prepares ? { preparedStatements: 100 } : {}
    pooler = await startPgBouncer(found, { folder, postgresUrl: inject('postgresUrl'), ...kept })
    const { url } = exchange.database
    const settings = { DATABASE_URL: pooler.through(url), DATABASE_DIRECT_URL: url }
    const start = () => exchange.start({ ...settings, DATABASE_POOLER_PREPARES: String(prepares) })
    replicas = [await start(), await start()]
  })
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()))
    await pooler.stop()
    await exchange.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a payment is verified, and settled once, however often two replicas are asked at once', async () => {
    const payTo = wallet(50).address
    const signed = await exchange.pay(wallet(1), { payTo })
    const [one, other] = replicas as [TestServices, TestServices]
    expect(granted(await one.call(operations.verify, signed))).toMatchObject({ isValid: true })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).call(operations.settle, signed)),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ success: true })
    expect(await exchange.balanceOf(payTo)).toBe(10_000n)
    expect(await exchange.uses(signed)).toBe(1)
  })

  test('twenty payments at once are all settled, and their events leave the outbox', async () => {
    const payers = Array.from({ length: 20 }, (_, n) => wallet(300 + n))
    for (const { address } of payers) await exchange.fund(address, 10_000n)
    const signed = await Promise.all(payers.map((payer) => exchange.pay(payer)))
    const answers = await Promise.all(signed.map((payment, n) => replicas[n % 2]?.call(operations.settle, payment)))
    expect(answers.filter((answer) => answer && 'success' in answer && answer.success)).toHaveLength(20)
    await until('nothing waits for the bus', async () => {
      const waiting = await exchange.database.query(
        'select 1 from x402_facilitator.outbox where published_at is null limit 1',
      )
      return waiting.length === 0
    })
    const [row] = await exchange.database.query('select count(*)::int as published from x402_facilitator.outbox')
    expect(row?.published).toBeGreaterThanOrEqual(21)
  })

  test('each replica is notified of commits, over one connection that bypasses the pooler', async () => {
    await until('commits are told', () => replicas.every(({ notifications }) => notifications?.arrive))
    const sessions = await exchange.database.query<{ role: string; held: number }>(
      `select application_name as role, count(*)::int as held from pg_stat_activity
        where datname = current_database() and application_name like 'callboard-%' and client_port is not null
          and query like 'listen %'
        group by 1`,
    )
    expect(sessions).toEqual([{ role: 'callboard-listener', held: 2 }])
  })
})
