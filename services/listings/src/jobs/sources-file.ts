import { readFile } from 'node:fs/promises'
import { type Job, pause } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { Callee, ListingsContext } from '../context.ts'
import { readSourcesText } from '../domain/mirror/sources-file.ts'
import { removeSource } from '../mirror/remove-source.ts'
import { allSources, putSource, tellOfSources } from '../store/source.repository.ts'

const LOOK_MS = 30 * SECOND_MS

/**
 * Keeps the sources that are configured by file as the file has them. A file with faults changes nothing: each fault is
 * logged with its line, once for each text.
 */
export const readSourcesFile: Job<ListingsContext, Callee> = {
  name: 'read-sources-file',
  async run(ctx, signal) {
    const path = ctx.config.MIRROR_SOURCES
    if (!path)
      return await new Promise<void>((ended) => signal.addEventListener('abort', () => ended(), { once: true }))
    let read: string | undefined
    while (!signal.aborted) {
      const outcome = await readFile(path, 'utf8')
        .then(async (text) => {
          if (text !== read) await takeOver(ctx, text)
          read = text
          return 'ok' as const
        })
        .catch((error: unknown) => {
          ctx.log.error({ err: error, path }, 'the file of sources could not be read')
          return 'failed' as const
        })
      ctx.metrics.jobRuns.inc({ service: ctx.name, job: this.name, outcome })
      await pause(LOOK_MS, signal)
    }
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
  // One transaction for each: an import holds its source while it waits for the mirror.
  for (const source of file.sources) {
    await ctx.db.transaction().execute(async (tx) => {
      await putSource(tx, source, 'file', now)
      await tellOfSources(tx)
    })
  }
  for (const { name } of gone) await ctx.db.transaction().execute((tx) => removeSource(ctx, tx, name))
}
