import type pg from 'pg'

/** @source PostgreSQL documentation, appendix A: cannot_connect_now */
const CANNOT_CONNECT_NOW = '57P03'

/** The database of a new connection is at an earlier state than this process has seen. It counts as an outage. */
export class DatabaseRestored extends Error {
  override readonly name = 'DatabaseRestored'
  readonly code = CANNOT_CONNECT_NOW
}

/**
 * Keeps a pool from a database at an earlier state than this process has seen, so that none of its statements runs
 * there: restoring a database, or failing over to another server, requires new connections.
 */
export class RestoreGuard {
  #least = 0

  /** The highest mark that this process saw committed; 0 before the first. */
  get least(): number {
    return this.#least
  }

  /** Records a mark of the database that this process saw committed. */
  saw(beat: number): void {
    this.#least = Math.max(this.#least, beat)
  }

  /** @throws DatabaseRestored */
  async check(client: pg.ClientBase): Promise<void> {
    if (this.#least === 0) return
    const { rows } = await client.query<{ beat: string }>('select beat from database_mark')
    const beat = Number(rows[0]?.beat)
    if (beat >= this.#least) return
    throw new DatabaseRestored(`it stands at mark ${beat}, and this process has seen mark ${this.#least}`)
  }

  /** The error for a transaction that compared the mark itself, and was refused. */
  refusal(): DatabaseRestored {
    return new DatabaseRestored(`it stands before mark ${this.#least}, which this process has seen`)
  }
}
