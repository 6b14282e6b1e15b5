import { chainIndexer } from '@callboard/chain-indexer'
import type { Postgres } from '@callboard/embedded'
import { createLogger, startServices } from '@callboard/runtime'
import { evmNetwork } from '@callboard/values'
import pg from 'pg'
import { cpuTimeMs } from '../cpu-time.ts'
import { CHAIN_ID, type FilledChain } from './chain.ts'
import { differences, type Row } from './differences.ts'
import { type Run, until } from './run.ts'

const NETWORK = evmNetwork(CHAIN_ID)

/** How far the rows and their events must get. */
export type Goal = { readonly upTo: 'outbox' } | { readonly upTo: 'bus'; readonly natsUrl: string }

/**
 * Has the chain-indexer service read the chain from block 1 on into a new database, in this process. Up to the outbox:
 * rows, events and cursor are committed, and holding the relay's lock keeps it waiting. Up to the bus: until JetStream
 * has acknowledged every event and that is recorded.
 */
export async function indexWithOurs(chain: FilledChain, postgres: Postgres, goal: Goal): Promise<Run> {
  const name = `ours_${goal.upTo}`
  const url = await postgres.createDatabase(name)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  if (goal.upTo === 'outbox')
    await client.query(`select pg_advisory_lock(hashtext('outbox'), hashtext('chain_indexer'))`)
  const before = { wall: performance.now(), own: process.cpuUsage(), postgres: cpuTimeMs(postgres.pid) }
  const services = await startServices([chainIndexer], {
    env: {
      DATABASE_URL: url,
      RPC_URLS: JSON.stringify({ [NETWORK]: [chain.anvil.rpcUrl] }),
      START_BLOCKS: JSON.stringify({ [NETWORK]: 1 }),
      ...(goal.upTo === 'bus' ? { NATS_URL: goal.natsUrl } : {}),
    },
    log: createLogger('error'),
  })
  try {
    await until('our rows are there', async () => {
      const { rows } = await client.query<{ done: boolean }>(DONE[goal.upTo], [chain.head])
      return rows[0]?.done ?? false
    })
    const { user, system } = process.cpuUsage(before.own)
    const cost = {
      wallMs: performance.now() - before.wall,
      cpuMs: (user + system) / 1_000,
      postgresCpuMs: cpuTimeMs(postgres.pid) - before.postgres,
    }
    const { rows } = await client.query<Row>(
      'select nonce, payer, pay_to as "payTo", amount::text as amount from chain_indexer.settlement',
    )
    const { rows: events } = await client.query<Row>(
      `select data->>'nonce' as nonce, data->>'payer' as payer, data->>'payTo' as "payTo", data->>'amount' as amount
       from chain_indexer.outbox where ${OBSERVED}`,
    )
    return { ...cost, differences: differences(chain.sent, rows) + differences(chain.sent, events) }
  } finally {
    await services.stop()
    await client.end()
    await postgres.dropDatabase(name)
  }
}

/** Other events say who submitted the payments; they start at the head and are not waited for. */
const OBSERVED = `name = 'settlement.observed.v1'`

const AT_THE_HEAD = 'exists (select 1 from chain_indexer.chain_cursor where block_number >= $1)'

const DONE = {
  outbox: `select ${AT_THE_HEAD} as done`,
  bus: `select ${AT_THE_HEAD} and not exists (select 1 from chain_indexer.outbox where ${OBSERVED} and published_at is null) as done`,
} as const
