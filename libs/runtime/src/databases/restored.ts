import {
  type Counters,
  type Database,
  DatabaseRestored,
  type EventTables,
  markDatabase,
  noticeRestore,
} from '@callboard/store'
import type { Kysely } from 'kysely'
import { pause } from '../jobs/jobs.ts'
import { waitUntilClear } from '../jobs/wait-until-clear.ts'
import type { Logger } from '../telemetry/log.ts'

/** The marked databases, and where the marks are stored. */
export interface Marked {
  readonly databases: ReadonlyMap<string, Database<EventTables>>
  readonly counters: Counters
  readonly log: Logger
}

const EVERY_MS = 5_000

/** What the operator of a restored schema has to do. */
const WHAT_TO_DO = 'run npm run operator -- reconcile (docs/disaster-recovery.md)'

/** The services whose schemas are at an earlier state than before, each with the reason, in words. */
async function restoredOf({ databases, counters }: Marked): Promise<string[]> {
  const found: string[] = []
  for (const [service, { db }] of databases) {
    const because = await noticeRestore(db as unknown as Kysely<EventTables>, counters).then(
      (restored) => restored?.because,
      (error: unknown) => {
        if (error instanceof DatabaseRestored) return error.message
        throw error
      },
    )
    if (because !== undefined) found.push(`restored: ${service}: ${because}; ${WHAT_TO_DO}`)
  }
  return found
}

/**
 * Waits until the operator has reconciled what was restored; until then these services do not run at all. While Redis
 * is unavailable there is nothing to compare with, and a start does not wait for it.
 * @param told called at each poll with what it waits for, in words
 */
export const untilReconciled = (marked: Marked, told: (restored: readonly string[]) => void): Promise<void> =>
  waitUntilClear({
    ask: () =>
      restoredOf(marked).catch((error: unknown) => {
        marked.log.warn({ err: error }, 'whether the database was restored is asked again later')
        return []
      }),
    told,
    log: (restored) => marked.log.error({ restored }, 'waiting for the operator to reconcile'),
  })

/**
 * Marks the schemas periodically. If one is at an earlier state than before, the process ends, and its next start waits
 * for the operator.
 * @returns a function that stops it
 */
export function keepMarks(marked: Marked, fail: (error: Error) => void): () => Promise<void> {
  const stopping = new AbortController()
  const kept = (async () => {
    while (!stopping.signal.aborted) {
      const restored = await keep(marked).catch((error: unknown) => {
        marked.log.warn({ err: error }, 'the database could not be marked')
        return []
      })
      if (restored.length > 0) return fail(new Error(restored.join('\n')))
      await pause(EVERY_MS, stopping.signal)
    }
    return undefined
  })()
  return async () => {
    stopping.abort()
    await kept
  }
}

async function keep(marked: Marked): Promise<string[]> {
  const restored = await restoredOf(marked)
  if (restored.length > 0) return restored
  for (const database of marked.databases.values()) await markDatabase(database, marked.counters)
  return []
}
