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

/** The parts of the context that it needs; it is opened before the context has its resources. */
type Dependencies = Pick<
  ServiceContext<unknown, CatalogTables>,
  'name' | 'db' | 'notifications' | 'clock' | 'log' | 'metrics'
>

/** Changes that come within this time are read together. */
const GATHER_MS = 10
/** How often to poll while notifications do not arrive. */
const BEAT_MS = 1_000
const RETRY_MS = 500
/** A query that takes longer has lost its server. */
const ANSWER_MS = 20_000
/** Listings updated in one go, while everything else waits. */
const BATCH = 50
/** Listings read in one go during a load. */
const LOAD_BATCH = 500
/** If more listings than this changed, and more than this share, reading everything anew is cheaper. */
const MANY = 1_000
const MANY_SHARE = 0.25

/**
 * Keeps this replica's directory in step with the tables. Each poll asks for what was committed since the snapshot of
 * the previous one, so no change is missed, in whichever order transactions end and however long the gap; a
 * notification only says when to poll.
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

  /** Resolves once the directory is loaded; it is followed from then on. */
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

  /** Resolves once the directory shows everything committed before the call. */
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
   * Reads some postings, or all if none could be read before. While their table cannot be read, their kinds are
   * reported as unavailable, and listings are shown and followed as usual.
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

  /** Each batch is current when it is read; later changes are read again at the next poll. */
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

/** @throws if the database takes too long: a poll that hangs must not be the last one */
async function answered<T extends object>(query: Promise<T>): Promise<T> {
  const rows = await within(ANSWER_MS, query)
  if (!rows) throw new Error(`No answer within ${ANSWER_MS} ms`)
  return rows
}
