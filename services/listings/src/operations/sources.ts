import type { listings, MirrorSource } from '@callboard/contract'
import { HOUR_MS, isoTime, refuse } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { removeSource } from '../mirror/remove-source.ts'
import { countBySource } from '../store/sighting.repository.ts'
import { allSources, makeDue, putSource, type Source, tellOfSources } from '../store/source.repository.ts'
import type { ListingsDb } from '../store/tables.ts'

/** Not bound to HTTP: only the operator's command reaches it. What it changes is written to the log. */
export const sources: ListingsHandler<typeof listings.sources> = async (input, ctx) => {
  if (input.action === 'list') return { sources: await shownSources(ctx.db) }
  const now = new Date(ctx.clock.now())
  const name = input.action === 'add' ? input.source.name : input.name
  const known = (await allSources(ctx.db)).find((one) => one.name === name)
  if (input.action !== 'add' && !known) return refuse('not_found', { message: `There is no source ${name}.` })
  if (input.action !== 'run' && known?.configured_by === 'file') {
    return refuse('invalid_state', { message: `${name} stands in the file of MIRROR_SOURCES; change it there.` })
  }
  await ctx.db.transaction().execute(async (tx) => {
    if (input.action === 'add') await putSource(tx, input.source, 'operator', now)
    else if (input.action === 'run') await makeDue(tx, name, now)
    else await removeSource(ctx, tx, name)
    await tellOfSources(tx)
  })
  ctx.log.info({ source: name, action: input.action }, 'the operator changed a source of the mirror')
  return { sources: await shownSources(ctx.db) }
}

async function shownSources(db: ListingsDb) {
  const [all, resources] = await Promise.all([allSources(db), countBySource(db)])
  return all.map((source) => ({ ...shown(source), resources: resources.get(source.name) ?? 0 }))
}

const shown = (source: Source) => ({
  name: source.name,
  kind: source.kind,
  url: source.url,
  filters: source.filters as MirrorSource['filters'],
  intervalHours: source.interval_ms / HOUR_MS,
  configuredBy: source.configured_by,
  dueAt: isoTime(source.due_at.getTime()),
  lastGoodAt: source.last_good_at && isoTime(source.last_good_at.getTime()),
  failures: source.failures,
  problem: source.problem,
  notTaken: source.not_taken,
})
