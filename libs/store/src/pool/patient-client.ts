import { type Kysely, sql } from 'kysely'
import pg from 'pg'

/** How much longer than its own limit a statement is waited for. */
const ON_ITS_WAY_MS = 5_000

/** @source PostgreSQL documentation, appendix A: read_only_sql_transaction */
const READ_ONLY = '25006'

const LONGER = /^set local statement_timeout = (\d+)$/
const BEGINS_OR_ENDS = /^(?:begin|commit|rollback)\b/

/**
 * Lets each further statement of a transaction take longer than usual, here and at the server.
 * @param ms 0: as long as it needs
 */
export const letStatementsTake = async <Own>(tx: Kysely<Own>, ms: number): Promise<void> => {
  await sql.raw(`set local statement_timeout = ${Math.ceil(ms)}`).execute(tx)
}

/** How long a connection waits for an answer, as node-postgres keeps it. 0: for ever. */
interface Waiting {
  readonly connectionParameters: { query_timeout: number }
}

/**
 * A connection that is closed when an answer is overdue. Postgres ends a statement at its time limit, so then its machine
 * or the network between is gone. The system itself would wait a quarter of an hour, with all connections of the pool,
 * although another server may be answering at the same address.
 */
export class PatientClient extends pg.Client {
  readonly #usualMs = (this as unknown as Waiting).connectionParameters.query_timeout
  #isOfStandby = false

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      this.#isOfStandby ||= code === READ_ONLY
    })
  }

  /** Whether its server refused to write: a standby, to which its address does not lead any more, or not for long. */
  get isOfStandby(): boolean {
    return this.#isOfStandby
  }

  override query = ((config: unknown, values?: unknown, callback?: unknown) => {
    if (typeof config === 'string' && !(Array.isArray(values) && values.length > 0)) this.#mayTake(config)
    return (super.query as (...given: unknown[]) => unknown).call(this, config, values, callback)
  }) as pg.Client['query']

  #mayTake(text: string): void {
    const { connectionParameters } = this as unknown as Waiting
    const ms = LONGER.exec(text)?.[1]
    if (ms !== undefined) connectionParameters.query_timeout = ms === '0' ? 0 : Number(ms) + ON_ITS_WAY_MS
    else if (BEGINS_OR_ENDS.test(text)) connectionParameters.query_timeout = this.#usualMs
  }
}
