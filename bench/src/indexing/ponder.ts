import { join } from 'node:path'
import { freePort, type Postgres, startChild } from '@callboard/embedded'
import pg from 'pg'
import { cpuTimeMs } from '../cpu-time.ts'
import { installedPeer } from '../installed-peer.ts'
import { CHAIN_ID, type FilledChain } from './chain.ts'
import { differences, type Row } from './differences.ts'
import { type Run, until } from './run.ts'

const SCHEMA = 'bench'

/**
 * Has Ponder read the token's transfers of the same blocks into a new database, cold. Time and CPU count from its first
 * line about the backfill, so that its start is excluded.
 */
export async function indexWithPonder(chain: FilledChain, postgres: Postgres, lastBlock: number): Promise<Run> {
  const home = installedPeer('ponder')
  const database = 'ponder'
  const url = await postgres.createDatabase(database)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const port = await freePort()
  const child = await startChild({
    what: 'Ponder',
    command: process.execPath,
    args: [
      join(home, 'node_modules/ponder/dist/esm/bin/ponder.js'),
      'start',
      '--schema',
      SCHEMA,
      '--port',
      String(port),
      '--log-level',
      'info',
      '--log-format',
      'json',
    ],
    cwd: home,
    env: {
      ...process.env,
      DATABASE_URL: url,
      [`PONDER_RPC_URL_${CHAIN_ID}`]: chain.anvil.rpcUrl,
      END_BLOCK: String(lastBlock),
      PONDER_TELEMETRY_DISABLED: '1',
    },
    ready: /Started backfill indexing/,
    readyWithinMs: 120_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
  })
  try {
    const before = { wall: performance.now(), cpu: cpuTimeMs(child.pid), postgres: cpuTimeMs(postgres.pid) }
    await until('Ponder’s rows are there', async () => {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${SCHEMA}.transfer`)
      return rows[0]?.count === chain.sent.length
    })
    const cost = {
      wallMs: performance.now() - before.wall,
      cpuMs: cpuTimeMs(child.pid) - before.cpu,
      postgresCpuMs: cpuTimeMs(postgres.pid) - before.postgres,
    }
    const { rows } = await client.query<Row>(
      `select payer, pay_to as "payTo", amount::text as amount from ${SCHEMA}.transfer`,
    )
    return { ...cost, differences: differences(chain.sent, rows) }
  } finally {
    await child.stop()
    await client.end()
    await postgres.dropDatabase(database)
  }
}
