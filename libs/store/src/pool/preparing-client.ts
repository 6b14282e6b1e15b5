import { createHash } from 'node:crypto'
import pg from 'pg'
import { hasColumnStar } from './column-star.ts'

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
 * A connection that prepares recurring statements: Postgres parses and plans each once per connection. Statements
 * without values, such as those that open and end transactions, are sent as they are.
 */
export class PreparingClient extends pg.Client {
  override query = ((config: unknown, values?: unknown, callback?: unknown) => {
    const name =
      typeof config === 'string' && Array.isArray(values) && values.length > 0 ? names.nameOf(config) : undefined
    const send = super.query.bind(this) as Query
    return name === undefined ? send(config, values, callback) : send({ name, text: config, values }, callback)
  }) as pg.Client['query']
}
