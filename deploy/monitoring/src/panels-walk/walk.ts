import { until } from '@callboard/testkit/until'
import { allReady, type Cluster } from '@callboard/tools/cluster'
import { askedBy } from '../selectors.ts'
import { type AskedQuery, nameOf } from './asked.ts'
import type { Failure } from './failures.ts'
import type { Prometheus } from './prometheus.ts'

export interface Walked {
  readonly cluster: Cluster
  readonly prometheus: Prometheus
  readonly queries: readonly AskedQuery[]
}

/** For each query, the jobs whose series it now reads. */
type Jobs = ReadonlyMap<AskedQuery, ReadonlySet<string>>

/** The observations of one failure. */
export interface Seen {
  /** Seconds from the failure until its panel showed it; absent where it did not. */
  readonly shownAfter?: number
  /** Queries that still show a value of a service without a running process. */
  readonly old: readonly string[]
}

/** A panel lags a scrape and an evaluation behind, and a rate continues for its interval. */
const SHOWN_WITHIN_MS = 60_000
const READY_WITHIN_MS = 120_000

async function jobsOf(prometheus: Prometheus, queries: readonly AskedQuery[]): Promise<Jobs> {
  const known = new Map<string, Promise<readonly string[]>>()
  const jobsOfSelector = async (selector: string) =>
    (await prometheus.now(`count by (job) (${selector})`)).map(({ labels }) => labels.job ?? '')
  const all = new Map<AskedQuery, ReadonlySet<string>>()
  for (const query of queries) {
    const jobs = new Set<string>()
    for (const { metric, matchers } of askedBy(query.expr).selectors) {
      const selector = `${metric}{${matchers.map(({ label, op, value }) => `${label}${op}"${value}"`).join(', ')}}`
      const asked = known.get(selector) ?? jobsOfSelector(selector)
      known.set(selector, asked)
      for (const job of await asked) jobs.add(job)
    }
    all.set(query, jobs)
  }
  return all
}

/** Causes one failure, waits until its panel shows it, and recovers from it. */
export async function failOne(walked: Walked, failure: Failure): Promise<Seen> {
  const { cluster, prometheus, queries } = walked
  const asked = queries.filter(({ dashboard, panel }) => dashboard === failure.dashboard && panel === failure.panel)
  const [query] = asked
  if (!query) throw new Error(`There is no panel ${failure.panel} on ${failure.dashboard}`)
  const isShown = async () => failure.isShown(await prometheus.now(query.expr))
  if (await isShown()) throw new Error(`${nameOf(query)} shows before it happens: ${failure.name}`)
  const { service } = failure
  const own = service ? await ownQueries(walked, service) : []
  const startedAt = performance.now()
  await failure.kill(cluster)
  const came = await until('its panel shows it', isShown, SHOWN_WITHIN_MS).catch(() => false)
  const shownAfter = came ? (performance.now() - startedAt) / 1_000 : undefined
  const old = service ? await stillShown(prometheus, own, service) : []
  await failure.recover(cluster)
  await until('its panel shows that it is over', async () => !(await isShown()), READY_WITHIN_MS)
  await until('all are ready', () => allReady(cluster.members), READY_WITHIN_MS)
  return { ...(shownAfter === undefined ? {} : { shownAfter }), old }
}

/** Current-value queries that read from this service and no other. */
async function ownQueries(walked: Walked, service: string): Promise<readonly AskedQuery[]> {
  const jobs = await jobsOf(
    walked.prometheus,
    walked.queries.filter(({ isOfNow }) => isOfNow),
  )
  return [...jobs].flatMap(([query, of]) => (of.size === 1 && of.has(service) ? [query] : []))
}

/** @returns those that do not become empty, although they have not begun to read from a living service */
async function stillShown(prometheus: Prometheus, queries: readonly AskedQuery[], service: string): Promise<string[]> {
  let left = queries
  const areGone = async () => {
    const lines = await Promise.all(left.map(({ expr }) => prometheus.now(expr)))
    const shown = left.filter((_, at) => (lines[at]?.length ?? 0) > 0)
    const jobs = await jobsOf(prometheus, shown)
    left = shown.filter((query) => [...(jobs.get(query) ?? [])].every((job) => job === service))
    return left.length === 0
  }
  await until('no old number is shown', areGone, SHOWN_WITHIN_MS).catch(() => undefined)
  return left.map(nameOf)
}
