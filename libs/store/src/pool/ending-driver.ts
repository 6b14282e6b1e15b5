import { type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely'

/**
 * A driver of kysely's that refuses statements of a transaction once its end was asked for. Statements that wait for
 * their turn in a transaction outlive the work that failed. Kysely refuses them when the rollback is answered, but one
 * whose turn comes before that would run after the rollback, outside of any transaction, and be kept.
 */
class EndingDriver extends PostgresDriver {
  readonly #guarded = new WeakMap<DatabaseConnection, { isEnded: boolean }>()

  override async acquireConnection(...options: Parameters<PostgresDriver['acquireConnection']>) {
    const connection = await super.acquireConnection(...options)
    if (!this.#guarded.has(connection)) this.#guarded.set(connection, guard(connection))
    return connection
  }

  override commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#ending(connection, super.commitTransaction(connection))
  }

  override rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    return this.#ending(connection, super.rollbackTransaction(connection))
  }

  /** Once it is answered kysely itself knows, and whoever keeps the connection, such as its migrator, goes on. */
  async #ending(connection: DatabaseConnection, sent: Promise<void>): Promise<void> {
    const state = this.#guarded.get(connection)
    if (state) state.isEnded = true
    try {
      await sent
    } finally {
      if (state) state.isEnded = false
    }
  }
}

function guard(connection: DatabaseConnection): { isEnded: boolean } {
  const state = { isEnded: false }
  const execute = connection.executeQuery.bind(connection)
  connection.executeQuery = async (...query) => {
    if (state.isEnded) throw new Error('a statement was asked for after the end of its transaction')
    return execute(...query)
  }
  return state
}

/** Kysely's dialect for Postgres, with that driver. */
export class EndingDialect extends PostgresDialect {
  readonly #config: ConstructorParameters<typeof PostgresDialect>[0]

  constructor(config: ConstructorParameters<typeof PostgresDialect>[0]) {
    super(config)
    this.#config = config
  }

  override createDriver(): PostgresDriver {
    return new EndingDriver(this.#config)
  }
}
