import type { listings, MirrorSource } from '@callboard/contract'
import { audited } from '@callboard/store'
import { HOUR_MS, isoTime, refuse } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { removeSource } from '../mirror/remove-source.ts'
import { countBySource } from '../store/sighting.repository.ts'
import { allSources, makeDue, putSource, type Source, tellOfSources } from '../store/source.repository.ts'
import type { ListingsDb } from '../store/tables.ts'

/** Not bound to HTTP: only the operator's command reaches it. Requested changes are recorded, even if refused. */
export const sources: ListingsHandler<typeof listings.sources> = async (input, ctx) => {
  if (input.action === 'list') return { sources: await shownSources(ctx.db) }
  const { action, by = 'unnamed', ...given } = input
  const name = 'source' in given ? given.source.name : given.name
  const asked = { by, verb: `sources ${action}`, subject: name, arguments: 'source' in given ? given.source : {} }
  const refused = await audited(ctx.db, asked, async ({ tx }) => {
    const known = (await allSources(tx)).find((one) => one.name === name)
    if (action !== 'add' && !known) return refuse('not_found', { message: `There is no source ${name}.` })
    if (action !== 'run' && known?.configured_by === 'file') {
      return refuse('invalid_state', { message: `${name} is in the file of MIRROR_SOURCES. Change it there.` })
    }
    const now = new Date(ctx.clock.now())
    if ('source' in given) await putSource(tx, given.source, 'operator', now)
    else if (action === 'run') await makeDue(tx, name, now)
    else await removeSource(ctx, tx, name)
    await tellOfSources(tx)
    return undefined
  })
  return refused ?? { sources: await shownSources(ctx.db) }
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
