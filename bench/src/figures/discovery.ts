import { rmSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { catalog } from '@callboard/catalog'
import { MOST_HIDDEN } from '@callboard/contract'
import { startPostgres } from '@callboard/embedded'
import { migrateServices } from '@callboard/runtime'
import { temporaryFolder } from '@callboard/testkit/folder'
import pg from 'pg'
import { Directory } from '../../../services/catalog/src/directory/directory.ts'
import { discoverable } from '../../../services/catalog/src/domain/visibility.ts'
import { batches, NOW, queries } from '../discovery/listings.ts'
import { backendCpuMs, type Place, peerPage, tune } from '../discovery/peer.ts'
import { startRoute } from '../discovery/route.ts'
import { heldMegabytes, ownCpuMs, type Sample, sampled, watchCores } from '../discovery/sampling.ts'
import { fillCatalog, fillPeer } from '../discovery/tables.ts'
import type { Comparison, Figure } from '../figure.ts'
import { driven } from '../open-loop.ts'

const LISTINGS = 200_000
const MANY_LISTINGS = 1_000_000
/** A page of 20, and one more row that shows whether there is another page. */
const LIMIT = 21
const QUERIES = 2_000
const FEWER_QUERIES = 500
const PER_SECOND = 500
const WARM_UP_MS = 30_000
const DRIVEN_MS = 45_000
const PARTS = 9

const question = (q: string) => ({ q, visibility: discoverable(false), nowMs: NOW })

/** The index alone. */
interface Index {
  readonly first: Sample
  readonly next: Sample
  /** The time to build it, without creating the synthetic listings. */
  readonly wallMs: number
  readonly cpuMs: number
  /** The longest that anything else in this process had to wait meanwhile. */
  readonly longestBlockMs: number
  readonly megabytes: number
}

async function timed(work: () => Promise<void>): Promise<{ readonly wallMs: number; readonly cpuMs: number }> {
  const [startedAt, cpu] = [performance.now(), ownCpuMs()]
  await work()
  return { wallMs: performance.now() - startedAt, cpuMs: ownCpuMs() - cpu }
}

/** Builds an index, and queries it for first pages and the following ones. */
async function ours(count: number, asked: readonly string[]): Promise<Index> {
  const before = heldMegabytes()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const making = await timed(async () => {
    for await (const batch of batches(count, 500)) batch.length
  })
  const directory = new Directory()
  const building = await timed(() => directory.load(batches(count, 500), setImmediate))
  const [wallMs, cpuMs] = [building.wallMs - making.wallMs, building.cpuMs - making.cpuMs]
  delay.disable()
  const megabytes = heldMegabytes() - before
  const first = await sampled(
    asked,
    (q) => directory.pageWithHidden(question(q), { limit: LIMIT, mostHidden: MOST_HIDDEN }),
    ownCpuMs,
  )
  const places = asked.flatMap((q) => {
    const after = directory.page(question(q), LIMIT).at(LIMIT - 2)?.place
    return after ? [{ q, after }] : []
  })
  const next = await sampled(places, ({ q, after }) => directory.page(question(q), LIMIT, after), ownCpuMs)
  return { first, next, wallMs, cpuMs, longestBlockMs: delay.max / 1e6, megabytes }
}

const sentenceOf = (count: number, { wallMs, cpuMs, longestBlockMs, megabytes }: Index): string =>
  `An index of ${count.toLocaleString('en')} listings is built in ${(wallMs / 1_000).toFixed(1)} s (${(cpuMs / 1_000).toFixed(1)} s of CPU), not counting the generation of the synthetic listings. During the build, nothing waited longer than ${longestBlockMs.toFixed(0)} ms. It takes ${megabytes.toFixed(0)} MiB, ${((megabytes * 2 ** 20) / count).toFixed(0)} bytes per listing.`

/** The whole route. None of it stays in memory when the index is measured. */
async function driveRoute(databaseUrl: string, asked: readonly string[]) {
  const route = await startRoute(databaseUrl)
  const requests = asked.map((q) => ({ url: `${route.url}?${new URLSearchParams({ q })}` }))
  const coresBusy = watchCores()
  const http = await driven(
    { requests, perSecond: PER_SECOND, warmUpMs: WARM_UP_MS, ms: DRIVEN_MS, parts: PARTS },
    ownCpuMs,
  )
  const busyShare = coresBusy()
  await route.stop()
  return { ...http, readyMs: route.readyMs, busyShare }
}

async function peer(url: string, asked: readonly string[]): Promise<{ first: Sample; next: Sample }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await tune(client)
  await fillPeer(client, LISTINGS)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  const first = await sampled(
    asked,
    (q) => peerPage(client, q, LIMIT),
    () => backendCpuMs(pid),
  )
  const places: { q: string; after: Place }[] = []
  for (const q of asked) {
    const last = (await peerPage(client, q, LIMIT)).at(LIMIT - 2)
    if (last) places.push({ q, after: [last.group_rank, last.tier, last.distrust, last.staleness, last.id] })
  }
  const next = await sampled(
    places,
    ({ q, after }) => peerPage(client, q, LIMIT, after),
    () => backendCpuMs(pid),
  )
  await client.end()
  return { first, next }
}

const less = (what: string, value: number, rest: Partial<Comparison> = {}): Comparison => ({
  what,
  unit: 'ms',
  better: 'less',
  ours: value,
  ...rest,
})

export const figure: Figure = {
  title: 'Discovery',
  method:
    'The listings are synthetic: their words follow Zipf’s law, and 45 % of them are visible. Queries are one to three words of a title. Every tenth is mistyped, any word may match, the last word is a prefix, and a page has 21 rows. The index and the peer are asked one query after the other. The peer is Postgres full-text search with weighted generated vectors under GIN, read tier by tier through `pg` with custom plans and without parallel workers; its CPU is that of its server process. A first page of the index is its rows as they are stored: the route writes what clients read of them. The route is asked over HTTP through the gateway by our own open loop in another process: requests leave at scheduled moments, and times count from these. The first 30 seconds of requests are a warm-up that is not counted, and the CPU of a request is the median of nine parts of 5 seconds.',
  async run() {
    const dataDir = temporaryFolder('callboard-bench-')
    const postgres = await startPostgres({ dataDir })
    try {
      const catalogUrl = await postgres.createDatabase('catalog')
      await migrateServices([catalog], {
        DATABASE_URL: catalogUrl,
        BASE_URL: 'http://127.0.0.1:8402',
        LINK_SIGNING_KEY: 'a key of the bench that is long enough',
      })
      const client = new pg.Client({ connectionString: catalogUrl })
      await client.connect()
      await fillCatalog(client, LISTINGS)
      await client.end()
      const asked = queries(QUERIES, LISTINGS)
      const http = await driveRoute(catalogUrl, asked)

      const fewer = asked.slice(0, FEWER_QUERIES)
      const theirs = await peer(await postgres.createDatabase('peer'), fewer)
      const small = await ours(LISTINGS, asked)
      const large = await ours(MANY_LISTINGS, fewer)
      const versus = (value: number) => ({ peer: { name: 'Postgres full text', value } })
      return {
        versions: { postgres: '18' },
        comparisons: [
          less('200,000 listings, index, p50', small.first.p50, versus(theirs.first.p50)),
          less('200,000 listings, index, p95', small.first.p95, {
            ...versus(theirs.first.p95),
            target: { value: 0.5 },
          }),
          less('200,000 listings, index, p99', small.first.p99, versus(theirs.first.p99)),
          less('200,000 listings, index, next page, p95', small.next.p95, versus(theirs.next.p95)),
          less('200,000 listings, CPU of a query', small.first.cpuMs, versus(theirs.first.cpuMs)),
          less('200,000 listings, whole route at 500 requests/s, p50', http.p50),
          less('200,000 listings, whole route at 500 requests/s, p95', http.p95, { target: { value: 5 } }),
          less('200,000 listings, whole route at 500 requests/s, p99', http.p99),
          less('200,000 listings, whole route, CPU of a request', http.cpuMs, { target: { value: 0.6 } }),
          less('200,000 listings, index, building it', small.wallMs, { target: { value: 8_000 } }),
          less('1,000,000 listings, index, p50', large.first.p50),
          less('1,000,000 listings, index, p95', large.first.p95, { target: { value: 1 } }),
          less('1,000,000 listings, index, p99', large.first.p99),
          less('1,000,000 listings, CPU of a query', large.first.cpuMs),
        ],
        notes: [
          `The route answered ${http.answered} requests, ${http.answeredPerSecond.toFixed(0)} per second of ${PER_SECOND} that were sent, and failed ${http.failed}. Gateway and catalog share one process, which was ready ${(http.readyMs / 1_000).toFixed(1)} s after its start with 200,000 listings. The cores of the machine were busy for ${(http.busyShare * 100).toFixed(0)} % of the time in which the route was asked, whichever process used them.`,
          sentenceOf(LISTINGS, small),
          sentenceOf(MANY_LISTINGS, large),
          'The peer holds title and summary and requires all words. Ours tolerates errors, counts listings that are not reviewed, and also finds words of hosts, paths and endpoint names. Neither the peer nor the route is measured at 1,000,000 listings.',
        ],
      }
    } finally {
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
