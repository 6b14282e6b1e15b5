import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { type ServiceContext, within } from '@callboard/runtime'
import { sweepMs, WakeSignal } from '@callboard/store'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecord } from '../directory/indexed-listing.ts'
import { isPostingId } from '../directory/indexed-posting.ts'
import {
  adoptChanges,
  changedSince,
  changesChannel,
  type Moment,
  momentOf,
  recordsAfter,
  recordsOf,
} from '../store/change.repository.ts'
import { openPostings, openPostingsOf } from '../store/posting.repository.ts'
import type { CatalogTables } from '../store/tables.ts'

/** What of the context it needs; it is opened before the context has its resources. */
type Dependencies = Pick<
  ServiceContext<unknown, CatalogTables>,
  'name' | 'db' | 'notifications' | 'clock' | 'log' | 'metrics'
>

/** Changes that come within so long are read together. */
const GATHER_MS = 10
/** When to look while notifications do not arrive. */
const BEAT_MS = 1_000
const RETRY_MS = 500
/** A question that takes longer has lost its server. */
const ANSWER_MS = 20_000
/** Listings that are put in their places in one go, while everything else waits. */
const BATCH = 50
/** Listings that are read in one go at a load. */
const LOAD_BATCH = 500
/** When more than so many listings changed, and more than this share, reading everything anew is cheaper. */
const MANY = 1_000
const MANY_SHARE = 0.25

/**
 * Keeps the directory of this replica as the tables are. Every look asks for what was committed since the snapshot of
 * the last one, so no change is missed, whatever order transactions end in and however long it did not look; a
 * notification only says when to look.
 */
export class Follower {
  readonly #directory: Directory
  readonly #deps: Dependencies
  readonly #stopping = new AbortController()
  readonly #changed = new WakeSignal()
  #seen: Moment | undefined
  #following: Promise<void> = Promise.resolve()
  #waiting: (() => void)[] = []

  constructor(directory: Directory, deps: Dependencies) {
    this.#directory = directory
    this.#deps = deps
  }

  /** Resolves when the directory is loaded; it is followed from then on. */
  async start(): Promise<void> {
    this.#count('failed', 0)
    await this.#load()
    this.#following = this.#follow()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#changed.raise()
    await this.#following
  }

  /** Resolves when the directory shows all that was committed before the call. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#changed.raise()
    })
  }

  async #follow(): Promise<void> {
    const { notifications, name, log } = this.#deps
    const end = notifications.subscribe(changesChannel(name), () => this.#changed.raise())
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#look()
        const isWhole = this.#directory.unavailableKinds.length === 0
        await this.#changed.raised(notifications.arrive && isWhole ? sweepMs() : BEAT_MS)
        if (this.#waiting.length === 0) await wait(GATHER_MS)
      } catch (error) {
        if (this.#stopping.signal.aborted) break
        this.#directory.forgetPostings()
        this.#count('failed')
        log.warn({ err: error }, 'the directory could not be followed')
        await this.#changed.raised(RETRY_MS)
      }
    }
    end()
  }

  async #look(): Promise<void> {
    const answered = this.#waiting.splice(0)
    try {
      await this.#read()
      this.#count('ok')
      for (const resolve of answered) resolve()
    } catch (error) {
      this.#waiting.unshift(...answered)
      throw error
    }
  }

  async #read(): Promise<void> {
    const { db } = this.#deps
    const now = await answered(momentOf(db))
    if (this.#seen?.server !== now.server) return this.#load()
    const many = Math.max(MANY, Math.ceil(this.#directory.size * MANY_SHARE))
    const changed = await answered(changedSince(db, this.#seen, many + 1))
    if (changed.length > many) return this.#load()
    const slugs = changed.filter((ref) => !isPostingId(ref))
    for (let at = 0; at < slugs.length; at += BATCH) {
      const some = slugs.slice(at, at + BATCH)
      this.#directory.update(some, await answered(recordsOf(db, some)))
    }
    await this.#readPostings(changed.filter(isPostingId))
    this.#seen = now
  }

  /**
   * Reads some postings, or all where none could be read before. While their table cannot be read their kinds are named as
   * unavailable, and listings are shown and followed as ever.
   */
  async #readPostings(ids: readonly string[] | 'all'): Promise<void> {
    const { db, clock, log } = this.#deps
    const now = clock.now()
    this.#directory.dropExpired(now)
    try {
      if (ids === 'all' || this.#directory.unavailableKinds.length > 0) {
        this.#directory.loadPostings(await answered(openPostings(db, new Date(now))))
      } else if (ids.length > 0) {
        this.#directory.updatePostings(ids, await answered(openPostingsOf(db, ids, new Date(now))))
      }
    } catch (error) {
      this.#directory.forgetPostings()
      this.#count('failed')
      log.warn({ err: error }, 'postings could not be read')
    }
  }

  async #load(): Promise<void> {
    const { db } = this.#deps
    await adoptChanges(db)
    const now = await momentOf(db)
    await this.#directory.load(this.#everything(), setImmediate)
    await this.#readPostings('all')
    this.#seen = now
  }

  /** Each batch is as it is when its turn comes; what changes meanwhile is read again at the next look. */
  async *#everything(): AsyncGenerator<DirectoryRecord[]> {
    for (let after = ''; ; ) {
      this.#stopping.signal.throwIfAborted()
      const batch = await answered(recordsAfter(this.#deps.db, after, LOAD_BATCH))
      const last = batch.at(-1)
      if (!last) return
      yield batch
      after = last.slug
    }
  }

  #count(outcome: 'ok' | 'failed', runs = 1): void {
    this.#deps.metrics.jobRuns.inc({ service: this.#deps.name, job: 'follow-directory', outcome }, runs)
  }
}

/** @throws where the database takes longer than it may: a look that hangs must not be the last one */
async function answered<T extends object>(query: Promise<T>): Promise<T> {
  const rows = await within(ANSWER_MS, query)
  if (!rows) throw new Error(`No answer within ${ANSWER_MS} ms`)
  return rows
}
