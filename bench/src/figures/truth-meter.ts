import { rmSync } from 'node:fs'
import { catalog } from '@callboard/catalog'
import { catalog as operations } from '@callboard/contract'
import { startPostgres } from '@callboard/embedded'
import { migrateServices } from '@callboard/runtime'
import { fakeClock, granted, startTestServices } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import pg from 'pg'
import type { CatalogContext } from '../../../services/catalog/src/context.ts'
import { settleAll } from '../../../services/catalog/src/truth/meter.ts'
import type { Comparison, Figure } from '../figure.ts'
import { corpus } from '../truth-meter/corpus.ts'
import { scores } from '../truth-meter/score.ts'
import { fillSettlements, marksOf } from '../truth-meter/tables.ts'
import type { World } from '../truth-meter/world.ts'

const SEED = 1
const SETTLEMENTS = 1_000_000
const FEWER_SETTLEMENTS = 50_000
const ASKED = 40
const TELL_EVERY_MS = 15_000
const KEY = 'a key of the bench that is long enough'
const BASE_URL = 'http://127.0.0.1:8402'

interface Measured {
  readonly marks: readonly number[]
  readonly settleSeconds: number
  readonly againSeconds: number
  /** By range: how long the sums took, recounted each time. */
  readonly askedMs: Readonly<Record<'24h' | '7d' | '30d', { p50: number; p95: number }>>
}

async function measured(world: World): Promise<Measured> {
  const dataDir = temporaryFolder('callboard-bench-')
  const postgres = await startPostgres({ dataDir })
  try {
    const url = await postgres.createDatabase('catalog')
    await migrateServices([catalog], { DATABASE_URL: url, BASE_URL, LINK_SIGNING_KEY: KEY })
    const client = new pg.Client({ connectionString: url })
    // Callers report their own failures; the server’s end is not one.
    client.on('error', () => {})
    await client.connect()
    const fillSeconds = await secondsOf(() => fillSettlements(client, world))
    console.log(`${world.settlements.length} settlements are written, in ${fillSeconds.toFixed(0)} s`)
    await client.query('vacuum analyze')
    const services = await startTestServices([catalog], {
      databaseUrl: url,
      clock: fakeClock(world.endMs),
      env: { LINK_SIGNING_KEY: KEY, BASE_URL, STATS_CACHE_MS: '0' },
    })
    const ctx = services.contexts.get('catalog') as CatalogContext
    const settleSeconds = await telling(client, () => secondsOf(() => settleAll(ctx)))
    await client.query('vacuum analyze')
    // One late settlement causes its week to be judged again: the price of keeping up to date.
    await client.query(
      `update catalog.settlement set observed_at = observed_at + interval '1 second' where block_number = 1`,
    )
    const againSeconds = await secondsOf(() => settleAll(ctx))
    const asked = async (range: '24h' | '7d' | '30d') => {
      const times: number[] = []
      for (let at = 0; at < ASKED; at += 1) {
        const startedAt = performance.now()
        granted(await services.call(operations.stats, { range }))
        times.push(performance.now() - startedAt)
      }
      times.sort((a, b) => a - b)
      return { p50: times[Math.floor(ASKED / 2)] ?? 0, p95: times[Math.floor(ASKED * 0.95)] ?? 0 }
    }
    const askedMs = { '24h': await asked('24h'), '7d': await asked('7d'), '30d': await asked('30d') }
    const marks = await marksOf(client)
    await services.stop()
    await client.end()
    return { marks, settleSeconds, againSeconds, askedMs }
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Reports now and then how much is left to add up and to judge. */
async function telling<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  const tell = setInterval(async () => {
    const { rows } = await client.query<{ notes: number; weeks: number }>(
      `select (select count(*) from catalog.settlement_change) as notes,
              (select count(distinct week) from catalog.paid_dirty) as weeks`,
    )
    console.log(`${rows[0]?.notes} changes are left to add up, ${rows[0]?.weeks} weeks to judge`)
  }, TELL_EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(tell)
  }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}

export const figure: Figure = {
  title: 'Truth meter',
  method:
    'The settlements are those of made-up actors over four weeks, generated from a seed: agents, subscriptions by the minute, an exchange’s wallet, large customers, launch days, nightly batches, sellers’ tests, and campaigns of every pattern. Each settlement records who made it, and the generator does not know the rules. The settlements are written into the tables of the catalog, which adds them up and judges them. A settlement is found if its mark names the pattern of its campaign, and found wrongly if it names any other. The sums are requested through the bus and computed again each time.',
  async run({ brief }) {
    const world = corpus(SEED, brief ? FEWER_SETTLEMENTS : SETTLEMENTS)
    const { marks, settleSeconds, againSeconds, askedMs } = await measured(world)
    const found = scores(world, marks)
    const comparisons: Comparison[] = found.flatMap(({ pattern, precision, recall }) => [
      { what: `${pattern}, precision`, unit: 'share', better: 'more', ours: precision, target: { value: 0.95 } },
      { what: `${pattern}, recall`, unit: 'share', better: 'more', ours: recall, target: { value: 0.9 } },
    ])
    const times: Comparison[] = Object.entries(askedMs).flatMap(([range, { p50, p95 }]) => [
      { what: `stats of ${range}, p50`, unit: 'ms', better: 'less', ours: p50, target: { value: 20 } },
      { what: `stats of ${range}, p95`, unit: 'ms', better: 'less', ours: p95 },
    ])
    const count = world.settlements.length.toLocaleString('en')
    return {
      versions: { postgres: '18' },
      comparisons: [...comparisons, ...times],
      tables: [
        {
          title: 'Settlements of each pattern',
          columns: ['made', 'found'],
          rows: found.map(({ pattern, made, found }) => [pattern, made, found]),
        },
      ],
      notes: [
        `${count} settlements were added up and judged in ${settleSeconds.toFixed(1)} s. One settlement that moved in time put its weeks in doubt, and these were judged again in ${againSeconds.toFixed(1)} s.`,
      ],
    }
  },
}
