import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecord } from '../directory/indexed-listing.ts'
import type { CatalogKit } from '../kit.ts'
import {
  adoptChanges,
  changedSince,
  changesChannel,
  type Moment,
  momentOf,
  recordsAfter,
  recordsOf,
} from '../store/change.repository.ts'
import { Bell } from './bell.ts'
import { within } from './within.ts'

/** What of a kit it needs; it is opened before the kit has its parts. */
type Surroundings = Pick<CatalogKit, 'name' | 'db' | 'pool' | 'log' | 'metrics'>

/** Changes that come within so long are read together. */
const GATHER_MS = 10
/** When to look although nobody rang. */
const POLL_MS = 1_000
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
 * the last one, so no change is missed, whatever order transactions end in and however long nobody looked; a
 * notification only says when to look.
 */
export class Follower {
  readonly #directory: Directory
  readonly #around: Surroundings
  readonly #stopping = new AbortController()
  readonly #bell = new Bell()
  #seen: Moment | undefined
  #following: Promise<void> = Promise.resolve()
  #waiting: (() => void)[] = []

  constructor(directory: Directory, around: Surroundings) {
    this.#directory = directory
    this.#around = around
  }

  /** Resolves when the directory is loaded; it is followed from then on. */
  async start(): Promise<void> {
    await this.#load()
    this.#following = this.#follow()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#bell.ring()
    await this.#following
  }

  /** Resolves when the directory shows all that was committed before the call. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#bell.ring()
    })
  }

  async #follow(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#listen()
      } catch (error) {
        if (this.#stopping.signal.aborted) return
        this.#count('failed')
        this.#around.log.warn({ err: error }, 'the directory could not be followed')
        await this.#bell.rings(RETRY_MS)
      }
    }
  }

  /** Holds a connection that is told of changes, and looks, until the connection or the service ends. */
  async #listen(): Promise<void> {
    const client = await this.#around.pool.connect()
    let lost: Error | undefined
    const lose = (error?: Error) => {
      lost ??= error ?? new Error('The connection that listens ended')
      this.#bell.ring()
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', () => this.#bell.ring())
    try {
      await client.query(`listen ${changesChannel(this.#around.name)}`)
      while (!this.#stopping.signal.aborted) {
        if (lost) throw lost
        await this.#look()
        await this.#bell.rings(POLL_MS)
        if (this.#waiting.length === 0) await wait(GATHER_MS)
      }
    } finally {
      client.removeListener('end', lose)
      client.release(true)
    }
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
    const { db } = this.#around
    const now = await within(ANSWER_MS, momentOf(db))
    if (this.#seen?.server !== now.server) return this.#load()
    const many = Math.max(MANY, Math.ceil(this.#directory.size * MANY_SHARE))
    const slugs = await within(ANSWER_MS, changedSince(db, this.#seen, many + 1))
    if (slugs.length > many) return this.#load()
    for (let at = 0; at < slugs.length; at += BATCH) {
      const some = slugs.slice(at, at + BATCH)
      this.#directory.update(some, await within(ANSWER_MS, recordsOf(db, some)))
    }
    this.#seen = now
  }

  async #load(): Promise<void> {
    const { db } = this.#around
    await adoptChanges(db)
    const now = await momentOf(db)
    await this.#directory.load(this.#everything(), setImmediate)
    this.#seen = now
  }

  /** Each batch is as it is when its turn comes; what changes meanwhile is read again at the next look. */
  async *#everything(): AsyncGenerator<DirectoryRecord[]> {
    for (let after = ''; ; ) {
      this.#stopping.signal.throwIfAborted()
      const batch = await within(ANSWER_MS, recordsAfter(this.#around.db, after, LOAD_BATCH))
      const last = batch.at(-1)
      if (!last) return
      yield batch
      after = last.slug
    }
  }

  #count(outcome: 'ok' | 'failed'): void {
    this.#around.metrics.jobRuns.inc({ service: this.#around.name, job: 'follow-directory', outcome })
  }
}
