import { CompiledQuery, type DatabaseConnection, DummyDriver, type Kysely, PostgresDialect, Transaction } from 'kysely'

/**
 * Runs a transaction whose statements travel as they are asked for, without waiting for the answers of those before: what
 * is put into one `Promise.all` is one round trip. Postgres runs them one after the other, and after one that fails it runs
 * no other. Statements that are asked for together are sent in no order that may be relied on; one that must see what
 * another did is asked for when that one has answered.
 * A part of the work that goes on when another has failed, or that nothing waits for, runs no statement after the end: it
 * would stand outside the transaction.
 * @throws what `work` throws, after everything was rolled back; what the first statement that failed threw
 */
export function pipelined<Tables, Result>(
  db: Kysely<Tables>,
  work: (tx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.getExecutor().provideConnection(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw('begin'))
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

/** Kysely's own transaction lets a statement begin when the one before has ended. */
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
  // Postgres ends a transaction with a failed statement this way, and says so only by the word that it answers.
  if (rows[0]?.command === 'ROLLBACK') throw new Error('a transaction with a failed statement was to be committed')
}
