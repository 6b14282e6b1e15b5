import { CompiledQuery, type DatabaseConnection, DummyDriver, type Kysely, PostgresDialect, Transaction } from 'kysely'
import { BEGIN_BY_INDEX } from '../pool/preparing-client.ts'

/**
 * Runs a transaction whose statements are sent as they are issued, without waiting for earlier answers: statements in
 * one `Promise.all` are one round trip. Postgres runs them one after the other, and none after one that fails. Do not
 * rely on the order of statements issued together; one that must see another's effect is issued after that one's
 * answer. They are planned to use indexes where there are any.
 * Work that continues after a failure elsewhere, or that nothing awaits, runs no statement after the end: it would be
 * outside the transaction.
 * @throws what `work` throws, after everything was rolled back; or the error of the first failed statement
 */
export function pipelined<Tables, Result>(
  db: Kysely<Tables>,
  work: (tx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.getExecutor().provideConnection(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw(BEGIN_BY_INDEX))
    let isOver = false
    const on = () => {
      if (isOver) throw new Error('a statement was asked for after the end of its transaction')
      return connection
    }
    try {
      const result = await work(transactionOn(db, on))
      isOver = true
      await commit(connection)
      return result
    } catch (error) {
      isOver = true
      await connection.executeQuery(CompiledQuery.raw('rollback'))
      throw error
    }
  })
}

/** Kysely's own transaction starts a statement only when the previous one has ended. */
function transactionOn<Tables>(db: Kysely<Tables>, connection: () => DatabaseConnection): Transaction<Tables> {
  const provider = { provideConnection: async <T>(use: (on: DatabaseConnection) => Promise<T>) => use(connection()) }
  const executor = db.getExecutor().withConnectionProvider(provider)
  return new Transaction<Tables>({ executor, ...NO_OTHER })
}

/** A transaction opens no connection but its own. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction has one connection')) })
const NO_OTHER = { dialect, config: { dialect }, driver: new DummyDriver() }

async function commit(connection: DatabaseConnection): Promise<void> {
  const { rows } = await connection.executeQuery<{ command: string }>(CompiledQuery.raw('commit'))
  // This is how Postgres ends a transaction with a failed statement; only the command tag of its answer says so.
  if (rows[0]?.command === 'ROLLBACK') throw new Error('a transaction with a failed statement was to be committed')
}
