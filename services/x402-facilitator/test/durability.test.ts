import { startTestServices, type TestDatabase, testDatabase, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { x402Facilitator } from '../src/index.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterAll(() => database.drop())

const start = (env: Record<string, string>) =>
  startTestServices([x402Facilitator], {
    databaseUrl: database.url,
    env: {
      BASE_URL: 'https://callboard.example',
      DECODE_PAY_TO: wallet(7).address,
      FACILITATOR_KEYS: `0x${'11'.repeat(32)}`,
      ...env,
    },
  })
/** Nothing listens there; startup asks no chain. */
const BASE = '{"eip155:8453":["http://127.0.0.1:9"]}'

describe('a database that may lose commits in a power cut (the tests’ own has fsync off)', () => {
  test('with a real chain, the start is refused with one sentence that says what is off', async () => {
    await expect(start({ RPC_URLS: BASE })).rejects.toThrow(
      /^eip155:8453 is a real chain, and Postgres runs with fsync off: turn on what keeps payments over a power cut, or serve the devnet alone\.$/,
    )
  })

  test('every setting that durability needs is checked', async () => {
    await database.query(
      `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
    )
    await expect(start({ RPC_URLS: BASE })).rejects.toThrow('fsync and synchronous_commit off')
  })

  test('with a devnet that imitates the chain, the service starts', async () => {
    const devnet = {
      rpcUrl: 'http://127.0.0.1:9',
      chainId: 8453,
      usdc: wallet(1).address,
      splitterFactory: wallet(2).address,
    }
    const services = await start({ DEVNET: JSON.stringify(devnet), RPC_URLS: BASE })
    await services.stop()
  })
})
