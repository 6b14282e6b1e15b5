import { CompiledQuery, type DatabaseConnection, DummyDriver, type Kysely, PostgresDialect, Transaction } from 'kysely'
import { BEGIN_BY_INDEX } from '../pool/preparing-client.ts'
import { type Answers, inOrder, type Statement } from './statement.ts'

/**
 * Sends the last statements of a transaction, and its commit with them. They are kept if all of them succeed.
 * @throws the error of the first that failed
 */
export type CommitWith = <const All extends readonly Statement<unknown>[]>(statements: All) => Promise<Answers<All>>

/**
 * Runs a transaction whose statements are sent as they are issued, without waiting for earlier answers: statements in
 * one `Promise.all` are one round trip. Postgres runs them one after the other, and none after one that fails. Do not
 * rely on the order of statements issued together, except by `inOrder`; one that must see another's effect is issued
 * after that one's answer. They are planned to use indexes where there are any.
 * Work that continues after a failure elsewhere, or that nothing awaits, runs no statement after the end: it would be
 * outside the transaction.
 * @throws what `work` throws, after everything was rolled back, unless the work had committed; or the error of the first
 *   failed statement
 */
export function pipelined<Tables, Result>(
  db: Kysely<Tables>,
  work: (tx: Transaction<Tables>, commitWith: CommitWith) => Promise<Result>,
): Promise<Result> {
  return db.getExecutor().provideConnection(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw(BEGIN_BY_INDEX))
    let ended: Promise<unknown> | undefined
    const on = () => {
      if (ended) throw new Error('a statement was asked for after the end of its transaction')
      return connection
    }
    const tx = transactionOn(db, on)
    const commitWith: CommitWith = async (statements) => {
      // Its connection may already serve another transaction, which this commit would end.
      on()
      const answers = inOrder(statements).execute(tx)
      ended = commit(connection)
      // What failed is told by its statement; the commit only tells that something did.
      const [answered, committed] = await Promise.allSettled([answers, ended])
      if (answered.status === 'rejected') throw answered.reason
      if (committed.status === 'rejected') throw committed.reason
      return answered.value
    }
    try {
      const result = await work(tx, commitWith)
      ended ??= commit(connection)
      await ended
      return result
    } catch (error) {
      if (ended) throw error
      ended = connection.executeQuery(CompiledQuery.raw('rollback'))
      await ended
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
