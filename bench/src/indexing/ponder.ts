import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, type Postgres, startChild } from '@callboard/embedded'
import pg from 'pg'
import { cpuTimeMs } from '../cpu-time.ts'
import { CHAIN_ID, type FilledChain } from './chain.ts'
import { differences, type Row } from './differences.ts'
import { type Run, until } from './run.ts'

const HOME = join(import.meta.dirname, '../../peers/ponder')
const PROGRAM = join(HOME, 'node_modules/ponder/dist/esm/bin/ponder.js')
const SCHEMA = 'bench'

/** The npm that came with the running Node, or else the one on the PATH. */
const npm = () =>
  [join(dirname(process.execPath), 'npm'), 'npm'].find((file) => file === 'npm' || existsSync(file)) ?? 'npm'

/** Installs the pinned versions of bench/peers/ponder on first use. */
function install(): void {
  if (existsSync(PROGRAM)) return
  console.log('Ponder is installed …')
  const { status } = spawnSync(npm(), ['ci', '--no-audit', '--no-fund'], { cwd: HOME, stdio: 'inherit' })
  if (status !== 0) throw new Error('Ponder could not be installed; bench/peers/ponder says which version')
}

/**
 * Lets Ponder read the token's transfers of the same blocks into a new database, cold. Its time and CPU count from its
 * first line about the backfill, so that its start is not counted.
 */
export async function indexWithPonder(chain: FilledChain, postgres: Postgres, lastBlock: number): Promise<Run> {
  install()
  const database = 'ponder'
  const url = await postgres.createDatabase(database)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const port = await freePort()
  const child = await startChild({
    what: 'Ponder',
    command: process.execPath,
    args: [PROGRAM, 'start', '--schema', SCHEMA, '--port', String(port), '--log-level', 'info', '--log-format', 'json'],
    cwd: HOME,
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
