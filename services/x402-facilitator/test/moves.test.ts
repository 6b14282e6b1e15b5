import { randomBytes } from 'node:crypto'
import { type Database, openDatabase, pipelined, type Statement } from '@callboard/store'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { type Address, type Caip2, DAY_MS, type Hex, HOUR_MS } from '@callboard/values'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { endLease, orphanedPayments } from '../src/store/lease.repository.ts'
import * as payments from '../src/store/migrations/0001-payments.ts'
import * as batches from '../src/store/migrations/0002-batches.ts'
import * as gasBudgets from '../src/store/migrations/0004-gas-budgets.ts'
import * as confirmations from '../src/store/migrations/0005-confirmations.ts'
import * as requestId from '../src/store/migrations/0006-request-id.ts'
import { holdPayments, type Move, movePayments } from '../src/store/move.repository.ts'
import { type Claim, claimPayments, findPayment, findPayments } from '../src/store/payment.repository.ts'
import { takeReverted } from '../src/store/reverted.repository.ts'
import type { FacilitatorTables, Payment } from '../src/store/tables.ts'

let postgres: TestDatabase
let database: Database<FacilitatorTables>

beforeAll(async () => {
  postgres = await testDatabase(inject('postgresUrl'))
  database = openDatabase({ url: postgres.url, schema: 'public', maxConnections: 2, onError: () => {} })
  for (const { up } of [payments, batches, gasBudgets, confirmations, requestId])
    await up(database.db as unknown as Kysely<unknown>)
})
afterAll(async () => {
  await database.close()
  await postgres.drop()
})

const PAYER: Address = '0x00000000000000000000000000000000000000AA'
const PAYEE: Address = '0x00000000000000000000000000000000000000bb'
const HASH: Hex = `0x${'ab'.repeat(32)}`

function claim(amount = '1000'): Claim {
  const nonce: Hex = `0x${randomBytes(32).toString('hex')}`
  const [network, asset, now] = ['eip155:31337', PAYEE, new Date()] as const
  return {
    transfer: {
      ...{ x402Version: 2, network, asset, payTo: PAYEE, amount, signature: HASH },
      domain: { name: 'USDC', version: '2', chainId: 31337, verifyingContract: asset },
      authorization: { from: PAYER, to: PAYEE, value: amount, validAfter: '0', validBefore: '1900000000', nonce },
    },
    ...{
      suffix: '0x',
      confirmation: 'included',
      resource: undefined,
      origin: null,
      sponsor: null,
      requestId: 'r',
      owner: 'me',
      now,
    },
  }
}

async function claimed() {
  const [row] = await claimPayments(database.db, [claim()])
  if (!row) throw new Error('the key is taken')
  return row
}

const moved = (moves: readonly Move[], now: Date) => movePayments(moves, now).execute(database.db)

test('a claim returns the row as it is stored', async () => {
  const row = await claimed()
  expect(row).toEqual(await findPayment(database.db, row.key))
})

test('orphaned payments of a chain that does not answer, however many, leave room for those of another one', async () => {
  const of = (network: Caip2, now: Date): Claim => {
    const { transfer, ...rest } = claim()
    return { ...rest, now, transfer: { ...transfer, network } }
  }
  const silent = Array.from({ length: 10 }, () => of('eip155:1', new Date(0)))
  const rows = await claimPayments(database.db, [...silent, of('eip155:2', new Date())])
  for (const row of rows) if (row) await endLease(database.db, row.key, 'me')
  const orphaned = await orphanedPayments(database.db, 4)
  expect(orphaned.filter((key) => key.startsWith('eip155:2/'))).toHaveLength(1)
  expect(orphaned.filter((key) => key.startsWith('eip155:1/')).length).toBeGreaterThan(1)
  await database.db.deleteFrom('payment').where('network', 'in', ['eip155:1', 'eip155:2']).execute()
})

test('a refused payment that is presented again keeps the time of its first claim, and is returned as stored', async () => {
  const again = claim()
  const [first] = await claimPayments(database.db, [again])
  if (!first) throw new Error('the key is taken')
  await moved([{ seen: first, events: ['refused'], facts: { reason: 'invalid_network' } }], again.now)
  const [second] = await claimPayments(database.db, [{ ...again, now: new Date(again.now.getTime() + 1_000) }])
  expect(second).toMatchObject({ state: 'claimed', reason: null, created_at: first.created_at })
  expect(second).toEqual(await findPayment(database.db, first.key))
})

test('moves in one statement set each row’s own facts, and leave its other columns unchanged', async () => {
  const [signed, refused, approved, taken] = [await claimed(), await claimed(), await claimed(), await claimed()]
  const facts = { lane: PAYER, chain_nonce: 7, tx_hash: HASH }
  const after = await moved(
    [
      { seen: signed, events: ['approved', 'stored'], facts },
      { seen: refused, events: ['refused'], facts: { reason: 'invalid_network' } },
      { seen: approved, events: ['approved'] },
      { seen: { ...taken, lease_owner: 'another' }, events: ['approved'] },
    ],
    new Date(),
  )
  expect(after[0]).toMatchObject({ state: 'signed', ...facts, reason: null, lease_owner: 'me' })
  expect(after[1]).toMatchObject({ state: 'refused', reason: 'invalid_network', lane: null, lease_owner: null })
  expect(after[2]).toMatchObject({ state: 'verified', reason: null, lane: null })
  expect(after[3]).toBeUndefined()
  const keys = [signed, refused, approved, taken].map(({ key }) => key)
  const stored = new Map((await findPayments(database.db, keys)).map((row) => [row.key, row]))
  expect(keys.map((key) => stored.get(key))).toEqual([...after.slice(0, 3), taken])
})

test('of two moves of one payment in one statement only the first is made', async () => {
  const row = await claimed()
  const first: Move = { seen: row, events: ['refused'], facts: { reason: 'invalid_network' } }
  const [refused, again] = await moved([first, { ...first, facts: { reason: 'unsupported_scheme' } }], new Date())
  expect([refused?.reason, again]).toEqual(['invalid_network', undefined])
  expect(refused).toEqual(await findPayment(database.db, row.key))
})

test('a reverted payment without a lease is free for any runner once it is on its way again', async () => {
  const row = await claimed()
  const facts = { lane: PAYER, chain_nonce: 9, tx_hash: HASH, reason: 'invalid_exact_evm_transaction_failed' }
  const events = ['approved', 'stored', 'sent', 'reverted'] as const
  const [reverted] = await moved([{ seen: row, events, facts }], new Date())
  expect(reverted).toMatchObject({ state: 'reverted', lease_owner: null, lease_until: null })
  const [taken] = await takeReverted(database.db, row.network, 1)
  if (!taken) throw new Error('it is left alone')
  expect(await takeReverted(database.db, row.network, 1)).toEqual([])
  const [again] = await moved([{ seen: taken, events: ['vanished'], facts: { reason: null } }], new Date())
  expect(again).toMatchObject({ state: 'broadcast', lease_until: null })
  expect(again).toEqual(await findPayment(database.db, row.key))
})

test('a payment that reverted a year ago, whose window never ends, is checked again within hours', async () => {
  const row = await claimed()
  const facts = { lane: PAYER, chain_nonce: 11, tx_hash: HASH, reason: 'invalid_exact_evm_transaction_failed' }
  const events = ['approved', 'stored', 'sent', 'reverted'] as const
  const before = new Date(Date.now() - 365 * DAY_MS)
  await moved([{ seen: row, events, facts }], before)
  const [taken] = await takeReverted(database.db, row.network, 1)
  const pauseMs = Number(taken?.lease_until) - Date.now()
  expect({ key: taken?.key, isHours: pauseMs > HOUR_MS && pauseMs < 7 * HOUR_MS }).toEqual({
    key: row.key,
    isHours: true,
  })
})

test('a later move keeps what earlier ones stored', async () => {
  const row = await claimed()
  const facts = { lane: PAYER, chain_nonce: 8, tx_hash: HASH }
  const [signed] = await moved([{ seen: row, events: ['approved', 'stored'], facts }], new Date())
  if (!signed) throw new Error('it was not moved')
  const outcome = { settled_tx: HASH, block_number: 9, block_hash: HASH, log_index: 3, is_foreign: false }
  const [mined] = await moved(
    [{ seen: signed, events: ['sent', 'included'], facts: { ...outcome, reason: null, announced_tx: HASH } }],
    new Date(),
  )
  expect(mined).toMatchObject({ state: 'mined', ...facts, ...outcome, lease_owner: null, lease_until: null })
  expect(mined).toEqual(await findPayment(database.db, row.key))
})

/** What a repository's function sends, as a statement for `prepare` and the values for `execute`. */
async function sentBy(statement: Statement<unknown>) {
  const sent: CompiledQuery[] = []
  const executeQuery = async (query: CompiledQuery) => {
    sent.push(query)
    return { rows: [] }
  }
  await statement.execute({ executeQuery } as never)
  const [query] = sent
  if (!query) throw new Error('nothing was sent')
  return { text: query.sql, values: query.parameters.map(literal).join(', ') }
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** How many payments the scans of a plan read. */
const paymentsRead = (node: PlanNode): number =>
  (node['Relation Name'] === 'payment' && node['Node Type'].endsWith('Scan')
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, below) => sum + paymentsRead(below), 0)

test.each([
  ['a hold', (seen: Payment) => holdPayments([seen])],
  ['a move', (seen: Payment) => movePayments([{ seen, events: ['approved'] }], new Date())],
])('%s that was planned while there were few payments reads few of many', async (_what, made) => {
  const { text, values } = await sentBy(made(await claimed()))
  const read = await pipelined(database.db, async (tx) => {
    await sql.raw(`prepare planned as ${text}`).execute(tx)
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
    const explain = async () => {
      const { rows } = await sql
        .raw<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`explain (analyze, format json) execute planned(${values})`)
        .execute(tx)
      return rows[0]?.['QUERY PLAN'][0]?.Plan
    }
    await explain()
    await claimPayments(
      tx,
      Array.from({ length: 2_000 }, () => claim()),
    )
    const plan = await explain()
    await sql`deallocate planned`.execute(tx)
    return plan && paymentsRead(plan)
  })
  expect(read).toBeLessThan(10)
})
