import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Comparison, Figure } from '../figure.ts'
import { type IdleInstance, startIdle } from '../idle/instance.ts'
import { processesOf, type Used } from '../idle/processor-time.ts'
import type { Counts } from '../idle/statements.ts'

/** After its start an instance builds indexes and compiles code. */
const SETTLED_MS = 30_000
const MEASURED_MS = 90_000
const SECONDS = MEASURED_MS / 1_000
/** How many statements and timers the notes name. */
const NAMED = 8

const isPostgres = ({ command }: Used) => /postgres/.test(command)
const isChain = ({ command }: Used) => /anvil/.test(command)

/** Milliseconds of CPU per second, by user. */
async function usedBy(instance: IdleInstance) {
  const before = new Map(processesOf(instance.pid).map((used) => [used.pid, used.ms]))
  await wait(MEASURED_MS)
  const rates = processesOf(instance.pid).map((used) => ({
    used,
    rate: (used.ms - (before.get(used.pid) ?? 0)) / SECONDS,
  }))
  const sum = (chosen: (used: Used) => boolean) =>
    rates.filter(({ used }) => chosen(used)).reduce((total, { rate }) => total + rate, 0)
  return {
    node: sum((used) => !isPostgres(used) && !isChain(used)),
    postgres: sum(isPostgres),
    chain: sum(isChain),
  }
}

/** The instance's database's own transaction count so far; queried from another database, so as not to be counted. */
async function transactionsOf(databaseUrl: string): Promise<number> {
  const url = new URL(databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const { rows } = await client.query<{ done: string }>(
    'select xact_commit + xact_rollback as done from pg_stat_database where datname = $1',
    [name],
  )
  await client.end()
  return Number(rows[0]?.done)
}

async function measureCosts() {
  const instance = await startIdle(false)
  try {
    await wait(SETTLED_MS)
    const before = await transactionsOf(instance.databaseUrl)
    const cpu = await usedBy(instance)
    return { cpu, transactions: ((await transactionsOf(instance.databaseUrl)) - before) / SECONDS }
  } finally {
    await instance.stop()
  }
}

/** Counts per second between two moments. */
function rates(from: Counts, to: Counts, of: 'transactions' | 'statements' | 'waits'): [string, number][] {
  const seconds = to.seconds - from.seconds
  return Object.entries(to[of])
    .map(([key, count]): [string, number] => [key, (count - (from[of][key] ?? 0)) / seconds])
    .filter(([, rate]) => rate > 0)
    .sort(([, left], [, right]) => right - left)
}

async function countStatements() {
  const instance = await startIdle(true)
  try {
    await wait(SETTLED_MS)
    const before = instance.counts()
    await wait(MEASURED_MS)
    const after = instance.counts()
    return {
      busiest: rates(before, after, 'transactions')[0] ?? (['none', 0] as const),
      statements: rates(before, after, 'statements'),
      waits: rates(before, after, 'waits'),
    }
  } finally {
    await instance.stop()
  }
}

const named = (all: readonly [string, number][]) =>
  all
    .slice(0, NAMED)
    .map(([what, rate]) => `${rate.toFixed(2)} × \`${what.replaceAll('`', '')}\``)
    .join(' · ')

export const figure: Figure = {
  title: 'An idle instance',
  method:
    'A whole embedded instance (`npm start -- --no-demo`) that nobody uses is measured from half a minute after it is ready, for 90 seconds. The CPU of its processes is the kernel’s count of nanoseconds, and transactions are Postgres’ own count. For a second instance, statements are counted at its Postgres clients, by service.',
  async run() {
    const { cpu, transactions } = await measureCosts()
    const counted = await countStatements()
    const [busiest, rate] = counted.busiest
    const less = (what: string, unit: string, ours: number, value?: number): Comparison => ({
      ...{ what, unit, better: 'less', ours },
      ...(value === undefined ? {} : { target: { value } }),
    })
    return {
      comparisons: [
        less('CPU a second, Node and Postgres together', 'ms', cpu.node + cpu.postgres, 5),
        less('CPU a second, Node', 'ms', cpu.node),
        less('CPU a second, Postgres', 'ms', cpu.postgres),
        less('CPU a second, the devnet’s node', 'ms', cpu.chain),
        less('transactions, the whole instance', '/s', transactions, 1),
        less('transactions, the service that makes the most', '/s', rate, 2),
      ],
      notes: [
        `The service with the most transactions: \`${busiest}\`.`,
        `Statements per second: ${named(counted.statements)}.`,
        `Timers per second: ${named(counted.waits)}.`,
      ],
    }
  },
}
