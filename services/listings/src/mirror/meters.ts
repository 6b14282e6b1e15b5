import { SourceKind } from '@callboard/contract'
import type { Collectors, Sample } from '@callboard/runtime'
import { HOUR_MS } from '@callboard/values'
import { Counter, Gauge, type Registry } from 'prom-client'
import { MIRROR_STATES } from '../domain/mirror/mirrored.ts'
import { countByState } from '../store/mirror.repository.ts'
import { allSources, type Source } from '../store/source.repository.ts'
import type { ListingsDb } from '../store/tables.ts'

/** The outcomes of reading a source's document. */
const PAGE_OUTCOMES = ['read', 'failed', 'too_large', 'loops'] as const

/** The metrics of the mirror. */
export interface MirrorMeters {
  readonly pages: Counter<'kind' | 'outcome'>
  readonly rows: Gauge<'state'>
  readonly failing: Gauge
  readonly oldestGoodSeconds: Gauge
}

export function mirrorMeters(registry: Registry): MirrorMeters {
  const pages = new Counter({
    name: 'callboard_mirror_documents_total',
    help: 'Documents of sources that were read, by the kind of source and the outcome.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  for (const kind of SourceKind.options) for (const outcome of PAGE_OUTCOMES) pages.inc({ kind, outcome }, 0)
  return {
    pages,
    rows: new Gauge({
      name: 'callboard_mirror_rows',
      help: 'Mirrored resources, by state. All replicas show the same.',
      labelNames: ['state'],
      registers: [registry],
    }),
    failing: new Gauge({
      name: 'callboard_mirror_sources_failing',
      help: 'Sources without a successful import for a day plus three of their intervals. All replicas show the same.',
      registers: [registry],
    }),
    oldestGoodSeconds: new Gauge({
      name: 'callboard_mirror_oldest_import_seconds',
      help: 'Time since the last successful import of the source that has waited longest; 0 without sources. All replicas show the same.',
      registers: [registry],
    }),
  }
}

/** Reads the mirror's metrics whenever `/metrics` is requested. */
export function readMirror(
  { rows, failing, oldestGoodSeconds }: MirrorMeters,
  collectors: Collectors,
  { db, clock }: { readonly db: ListingsDb; readonly clock: { now(): number } },
): void {
  collectors.add('listings mirror', async () => {
    const [counts, sources] = await Promise.all([countByState(db), allSources(db)])
    const now = clock.now()
    const ages = sources.map((source) => now - goodAt(source))
    return [
      ...MIRROR_STATES.map((state): Sample => ({ gauge: rows, labels: { state }, value: counts.get(state) ?? 0 })),
      { gauge: failing, labels: {}, value: sources.filter((source) => isFailing(source, now)).length },
      { gauge: oldestGoodSeconds, labels: {}, value: Math.max(0, ...ages) / 1_000 },
    ]
  })
}

const goodAt = ({ last_good_at, created_at }: Source): number => (last_good_at ?? created_at).getTime()

/** A source may fail for this many intervals plus a day without being reported. */
const INTERVALS = 3

const isFailing = (source: Source, now: number): boolean =>
  source.failures > 0 && now - goodAt(source) > INTERVALS * source.interval_ms + 24 * HOUR_MS
