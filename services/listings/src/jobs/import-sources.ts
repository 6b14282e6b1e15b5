import { type Calling, schemaOf, type Waking, whenWoken } from '@callboard/runtime'
import { MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { Callee, ListingsContext } from '../context.ts'
import { importPage } from '../mirror/import-page.ts'
import { leaseDueSources, nextImportMs, sourcesChannel } from '../store/source.repository.ts'

/** How many sources one replica reads at once. */
const AT_ONCE = 4
/** Longer than reading and importing a document may take. */
const LEASE_MS = 2 * MINUTE_MS

const waking = (ctx: ListingsContext): Waking => ({ channels: [sourcesChannel(schemaOf(ctx.name))], pollMs: SECOND_MS })

/** Imports the sources of the mirror, document by document, as they come due. A source is read by one replica at a time. */
export const importSources = whenWoken<ListingsContext, Callee>('import-sources', waking, async (ctx, signal) => {
  let dueInMs = await nextImportMs(ctx.db, ctx.clock.now())
  while (dueInMs === 0 && !signal.aborted) {
    const due = { now: new Date(ctx.clock.now()), token: ctx.newId(), limit: AT_ONCE, leaseMs: LEASE_MS }
    const leases = await leaseDueSources(ctx.db, due)
    if (leases.length === 0) break
    await Promise.all(leases.map((lease) => attempt(ctx, lease)))
    dueInMs = await nextImportMs(ctx.db, ctx.clock.now())
  }
  return dueInMs
})

/** A failure of one source does not affect the others: an error is logged, and its lease expires on its own. */
async function attempt(ctx: ListingsContext & Calling<Callee>, lease: Parameters<typeof importPage>[1]): Promise<void> {
  try {
    await importPage(ctx, lease)
  } catch (error) {
    ctx.log.error({ err: error, source: lease.source.name }, 'a source could not be imported')
    ctx.resources.mirror.pages.inc({ kind: lease.source.kind, outcome: 'failed' })
  }
}
