import pg from 'pg'

/** The settings of a service's session, made by each transaction itself behind a pooler. Durations in milliseconds. */
export interface SessionSettings {
  /** The only schema on the search path. */
  readonly schema: string
  readonly statementTimeoutMs: number
  readonly idleInTransactionTimeoutMs: number
}

/**
 * The statement with which a transaction applies its service's settings: behind a pooler it runs in any free session,
 * where no setting may outlast it.
 * @param least the database mark that this process has seen; 0 where there is none. A database with a lower mark
 *   answers with a division by zero, so that nothing of the transaction runs there
 */
export function transactionPrelude(settings: SessionSettings, least: number): string {
  const { schema, statementTimeoutMs, idleInTransactionTimeoutMs } = settings
  const set = (name: string, value: string) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`
  const parts = [
    set('search_path', pg.escapeIdentifier(schema)),
    set('statement_timeout', String(statementTimeoutMs)),
    set('idle_in_transaction_session_timeout', String(idleInTransactionTimeoutMs)),
  ]
  const beat = `coalesce((select beat from ${pg.escapeIdentifier(schema)}.database_mark), 0)`
  if (least > 0) parts.push(`1 / (${beat} >= ${least})::int`)
  return `select ${parts.join(', ')}`
}

/** @source PostgreSQL documentation, appendix A: division_by_zero */
const DIVISION_BY_ZERO = '22012'

/** Whether a prelude failed because the database is at an earlier state than its process has seen. */
export const isOfEarlierDatabase = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === DIVISION_BY_ZERO
