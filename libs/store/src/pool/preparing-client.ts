import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import type pg from 'pg'
import { hasColumnStar } from './column-star.ts'
import { PatientClient } from './patient-client.ts'

/** A statement is prepared from its third run in this process: one that runs once is not worth a name. */
const RUNS_BEFORE = 2
/** The most texts remembered. Ours are a few hundred; a text with inlined values would be new each time. */
const MOST_TEXTS = 1_000

/** Names for the texts of recurring statements. */
class StatementNames {
  readonly #runs = new Map<string, number>()
  readonly #names = new Map<string, string>()

  /** @returns undefined for a statement that should not be prepared */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text)
    if (name) return name
    const runs = this.#runs.get(text) ?? 0
    if (runs < RUNS_BEFORE) {
      // A migration changes "all columns" of a table, which breaks the prepared statement of an old replica.
      if (this.#runs.size < MOST_TEXTS) this.#runs.set(text, hasColumnStar(text) ? Number.NEGATIVE_INFINITY : runs + 1)
      return undefined
    }
    const fresh = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    this.#names.set(text, fresh)
    return fresh
  }
}

const names = new StatementNames()

type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown

/**
 * Begins a transaction whose statements use indexes. A plan is kept, and one that was made while a table was small reads
 * all of it until Postgres next analyzes it, however much it has grown.
 */
export const BEGIN_BY_INDEX = 'begin; set local enable_seqscan = off'
const BEGINNINGS: readonly unknown[] = ['begin', BEGIN_BY_INDEX]

/** The answer to a beginning, which nothing reads. */
const BEGUN = Promise.resolve({ command: 'BEGIN', rowCount: null, oid: 0, fields: [], rows: [] })

/**
 * A connection that prepares recurring statements: Postgres parses and plans each once per connection. Statements
 * without values, such as those that open and end transactions, are sent as they are.
 *
 * Statements that are issued together leave in one write. `begin` is answered at once and leaves with the first
 * statement after it: it fails only with its connection, and then so does that statement.
 */
export class PreparingClient extends PatientClient {
  readonly #send: Query
  readonly #holdWrites = writesHeld(() => this.connection.stream)

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.#send = this.query.bind(this) as Query
    this.query = this.#prepared.bind(this) as pg.Client['query']
  }

  #prepared(config: unknown, values?: unknown, callback?: unknown): unknown {
    this.#holdWrites()
    const hasValues = Array.isArray(values) && values.length > 0
    const name = typeof config === 'string' && hasValues ? names.nameOf(config) : undefined
    if (name !== undefined) return this.#send({ name, text: config, values }, callback)
    if (!BEGINNINGS.includes(config) || hasValues || callback !== undefined || typeof values === 'function') {
      return this.#send(config, values, callback)
    }
    ;(this.#send(config) as Promise<unknown>).catch(() => {})
    return BEGUN
  }
}

/** @returns a function that holds back what is written to the stream until the work that is running now has ended */
function writesHeld(stream: () => Pick<Writable, 'cork' | 'uncork'>): () => void {
  let isHeld = false
  return () => {
    if (isHeld) return
    isHeld = true
    const held = stream()
    held.cork()
    // Runs after the microtasks that are due, in which the other statements are issued.
    process.nextTick(() => {
      isHeld = false
      held.uncork()
    })
  }
}
