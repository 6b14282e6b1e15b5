import { join } from 'node:path'
import { LIMITS } from '@callboard/contract'
import { until } from '@callboard/testkit/until'
import { openStage } from '../walk/stage.ts'
import { BEAT } from '../walk/watchers.ts'
import { type AskedQuery, askedQueries, nameOf } from './asked.ts'
import { startCollector } from './collector.ts'
import { beRefused, demonstrate, drive, lookAround } from './driving.ts'
import type { Failure } from './failures.ts'
import { Prometheus, type Span } from './prometheus.ts'
import { failOne } from './walk.ts'

export interface DashboardsWalk {
  /** Stores all data. */
  readonly folder: string
  /** The factor by which rule windows and scrape intervals are shortened. */
  readonly times: number
  readonly failures: readonly Failure[]
  readonly log: (line: string) => unknown
  readonly say: (line: string) => void
}

const WIDE = { burst: 100_000, perMinute: 600_000 }
/** Limit classes that the load needs wide; the others are exhausted on purpose. */
const WIDENED = Object.keys(LIMITS).filter((name) => name !== 'report')
/** Histograms with exemplars that lead to traces. */
const TRACED = ['callboard_http_request_duration_seconds', 'callboard_operation_duration_seconds']
/** Until the recorded series over a month, which are rarely evaluated, have their first value. */
const DATA_WITHIN_MS = 180_000
/** The number of scrapes in Grafana's rate interval. */
const SCRAPES_OF_A_RATE = 4

/** Walks through every path and every failure. @returns whether every panel showed what it should */
export async function walkDashboards({ folder, times, failures, log, say }: DashboardsWalk): Promise<boolean> {
  const from = Date.now() / 1_000
  const collector = await startCollector()
  const undo: (() => Promise<unknown>)[] = [() => collector.close()]
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    RATE_LIMITS: JSON.stringify(Object.fromEntries(WIDENED.map((name) => [name, WIDE]))),
    ...{ LISTINGS_PER_OWNER: '1000', LISTINGS_PER_SITE: '1000', PROBE_INTERVAL_MS: '60000' },
    ...{ MIRROR_SOURCES: join(folder, 'mirror.sources.yaml'), ROUTER_MODELS: join(folder, 'router.models.yaml') },
  }
  try {
    const stage = await openStage({ folder, times, log, env })
    undo.push(() => stage.stop())
    const { cluster } = stage
    const prometheus = new Prometheus(stage.prometheusUrl)
    const scrapeSeconds = BEAT.scrape / times
    const queries = askedQueries(`${Math.ceil(SCRAPES_OF_A_RATE * scrapeSeconds)}s`)
    say(`${cluster.members.length} processes run; ${queries.length} queries of panels`)
    const driven = await drive(cluster)
    undo.push(() => driven.stop())
    undo.push(await demonstrate(cluster, log))
    await lookAround(cluster)
    await beRefused(cluster)
    await driven.load.untilWell(DATA_WITHIN_MS)
    say('every path is driven')

    let missed = 0
    for (const failure of failures) {
      await lookAround(cluster)
      const { shownAfter, old } = await failOne({ cluster, prometheus, queries }, failure)
      const shown = shownAfter === undefined ? 'NOT SHOWN' : `shown after ${shownAfter.toFixed(1)} s`
      say(`${failure.name}: ${failure.dashboard}, ${failure.panel}: ${shown}`)
      for (const name of old) say(`  OLD NUMBER  ${name}`)
      if (shownAfter === undefined || old.length > 0) missed += 1
    }
    const span = () => ({ from, to: Date.now() / 1_000, stepSeconds: scrapeSeconds })
    const empty = await emptyOnes(queries, (query) => prometheus.between(query.expr, span()))
    for (const query of empty) say(`NO DATA  ${nameOf(query)}`)
    const untraced = await histogramsWithoutTraces(prometheus, span())
    for (const name of untraced) say(`NO TRACE  ${name}`)
    say(
      `${failures.length - missed} of ${failures.length} failures held; ${queries.length - empty.length} of ${queries.length} queries had data`,
    )
    return missed === 0 && empty.length === 0 && untraced.length === 0
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

async function histogramsWithoutTraces(prometheus: Prometheus, span: Span): Promise<readonly string[]> {
  const traces = await Promise.all(TRACED.map((name) => prometheus.exemplars(`${name}_bucket`, span)))
  return TRACED.filter((_, at) => !traces[at]?.some((trace) => /^[0-9a-f]{32}$/.test(trace)))
}

/** Queries that never returned data during all of it. */
async function emptyOnes(
  queries: readonly AskedQuery[],
  ask: (query: AskedQuery) => Promise<readonly unknown[]>,
): Promise<readonly AskedQuery[]> {
  let left = queries
  const areFull = async () => {
    const still: AskedQuery[] = []
    for (const query of left) if ((await ask(query)).length === 0) still.push(query)
    left = still
    return left.length === 0
  }
  await until('every panel has data', areFull, DATA_WITHIN_MS).catch(() => undefined)
  return left
}
