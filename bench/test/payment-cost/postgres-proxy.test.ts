import { testDatabase } from '@callboard/testkit'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { countOf, Ledger } from '../../src/payment-cost/ledger.ts'
import { openPostgresProxy, type Way } from '../../src/payment-cost/postgres-proxy.ts'

const ledger = new Ledger()
let database: Awaited<ReturnType<typeof testDatabase>>
let way: Way
let client: pg.Client

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  way = await openPostgresProxy(database.url, ledger)
  client = new pg.Client({ connectionString: way.url, application_name: 'callboard-chain_indexer' })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  way.close()
  await database.drop()
})
beforeEach(() => ledger.forget())

const counted = () => {
  const { total } = countOf(ledger.between(0, Number.POSITIVE_INFINITY))
  return [total.get('statements') ?? 0, total.get('round trips to Postgres') ?? 0, total.get('transactions') ?? 0]
}

test('an autocommitted statement is a transaction', async () => {
  await client.query('select 1')
  await client.query('select $1::int', [1])
  expect(counted()).toEqual([2, 2, 2])
})

test('everything from begin to commit is one transaction', async () => {
  await client.query('begin')
  await client.query('select $1::int', [1])
  await client.query('commit')
  expect(counted()).toEqual([3, 3, 1])
})

test('the statements of one query are counted individually, in one transaction', async () => {
  await client.query('select 1; select 2; select 3')
  expect(counted()).toEqual([3, 1, 1])
})

test('a failed statement counts, and so do the statements after it', async () => {
  await expect(client.query('select $1::int / 0', [1])).rejects.toThrow('division by zero')
  await client.query('select 1')
  expect(counted()).toEqual([2, 2, 2])
})

test('pipelined statements are one round trip', async () => {
  const pipelining = new pg.Client({ connectionString: way.url, pipeline: true } as pg.ClientConfig)
  await pipelining.connect()
  ledger.forget()
  await pipelining.query('begin')
  await Promise.all([1, 2, 3].map((one) => pipelining.query('select $1::int', [one])))
  await pipelining.query('commit')
  expect(counted()).toEqual([5, 3, 1])
  await pipelining.end()
})

test('a prepared statement is recorded with its text and the service that runs it', async () => {
  const named = { name: 'one', text: 'select $1::int as one', values: [1] }
  await client.query(named)
  await client.query(named)
  const statements = ledger.between(0, Number.POSITIVE_INFINITY).filter(({ what }) => what === 'statements')
  expect(statements.map(({ text, by }) => [text, by])).toEqual([
    ['select $1::int as one', 'chain-indexer'],
    ['select $1::int as one', 'chain-indexer'],
  ])
})
