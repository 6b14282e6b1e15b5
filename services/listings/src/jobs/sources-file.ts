import { readFile, stat } from 'node:fs/promises'
import { every, fileStamp, type Job } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { Callee, ListingsContext } from '../context.ts'
import { readSourcesText } from '../domain/mirror/sources-file.ts'
import { removeSource } from '../mirror/remove-source.ts'
import { allSources, putSource, tellOfSources } from '../store/source.repository.ts'

const LOOK_MS = 2 * SECOND_MS

/**
 * Keeps the sources configured by file in step with the file. A file with faults changes nothing: each fault is logged
 * with its line. A missing file changes nothing either.
 */
export const readSourcesFile: Job<ListingsContext, Callee> = {
  name: 'read-sources-file',
  run(ctx, signal) {
    let read: string | undefined
    const looking = every<ListingsContext, Callee>(this.name, LOOK_MS, async (ctx) => {
      const path = ctx.config.MIRROR_SOURCES
      const file = path ? await stat(path, { throwIfNoEntry: false }) : undefined
      if (!path || !file || fileStamp(file) === read) return
      await takeOver(ctx, await readFile(path, 'utf8'))
      read = fileStamp(file)
    })
    return looking.run(ctx, signal)
  },
}

async function takeOver(ctx: ListingsContext, text: string): Promise<void> {
  const file = readSourcesText(text)
  if (!file.ok) {
    ctx.log.error({ faults: file.faults }, 'the file of sources has faults; those of before stay')
    return
  }
  const now = new Date(ctx.clock.now())
  const known = await allSources(ctx.db)
  const kept = new Set(file.sources.map(({ name }) => name))
  const gone = known.filter(({ name, configured_by }) => configured_by === 'file' && !kept.has(name))
  // One transaction each: an import holds its source's lock while it waits for the mirror.
  for (const source of file.sources) {
    await ctx.db.transaction().execute(async (tx) => {
      await putSource(tx, source, 'file', now)
      await tellOfSources(tx)
    })
  }
  for (const { name } of gone) await ctx.db.transaction().execute((tx) => removeSource(ctx, tx, name))
}
