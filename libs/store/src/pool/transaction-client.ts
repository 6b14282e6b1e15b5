import type pg from 'pg'

/** How a statement is sent; the result goes to the callback if there is one, and else to a promise. */
type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown
type Send = (config: unknown, values?: unknown) => Promise<pg.QueryResult>
type Callback = (error: unknown, result?: pg.QueryResult) => void

const BEGINS = /^\s*(?:begin|start\s+transaction)\b/i
const ENDS = /^\s*(?:commit|end|abort|rollback(?!\s+(?:work\s+|transaction\s+)?to\b))\b/i

export interface TransactionClientSettings {
  /** Returns the first statement of each transaction; called for each. */
  readonly prelude: () => string
  /** Translates a failure of that statement. */
  readonly explain: (error: unknown) => unknown
}

/**
 * A connection to a pooler that reassigns the session after each transaction. Session settings are made in each
 * transaction; a statement outside of one becomes a transaction of its own, whose parts are sent together, and is done
 * once that is committed. The pool that uses it must set `pipeline`.
 * @param Base the client that sends, which may prepare statements where the pooler keeps them
 */
export function transactionClient(Base: typeof pg.Client, settings: TransactionClientSettings): typeof pg.Client {
  return class TransactionClient extends Base {
    readonly #send: Send
    #isInTransaction = false

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.#send = this.query.bind(this) as unknown as Send
      const query: Query = (statement, values, callback) => {
        const done = (typeof values === 'function' ? values : callback) as Callback | undefined
        const result = this.#run(statement, typeof values === 'function' ? undefined : values)
        return done ? void result.then((answer) => done(undefined, answer), done) : result
      }
      this.query = query as pg.Client['query']
    }

    #run(config: unknown, values: unknown): Promise<pg.QueryResult> {
      const text = textOf(config)
      if (this.#isInTransaction) {
        if (ENDS.test(text)) this.#isInTransaction = false
        return this.#send(config, values)
      }
      if (!BEGINS.test(text)) return this.#alone(config, values)
      this.#isInTransaction = true
      return this.#begin(text)
    }

    async #begin(text: string): Promise<pg.QueryResult> {
      try {
        return await this.#send(`${text}; ${settings.prelude()}`)
      } catch (error) {
        this.#isInTransaction = false
        await this.#send('rollback').catch(() => {})
        throw settings.explain(error)
      }
    }

    async #alone(config: unknown, values: unknown): Promise<pg.QueryResult> {
      const [begun, answered, ended] = await Promise.allSettled([
        this.#send(`begin; ${settings.prelude()}`),
        this.#send(config, values),
        // Also ends a transaction that has failed.
        this.#send('commit'),
      ])
      if (begun.status === 'rejected') throw settings.explain(begun.reason)
      if (answered.status === 'rejected') throw answered.reason
      if (ended.status === 'rejected') throw ended.reason
      return answered.value
    }
  }
}

/** @throws TypeError for a query object, such as a cursor: it would read on in a session that is no longer its own */
function textOf(config: unknown): string {
  if (typeof config === 'string') return config
  const { text, submit } = config as { text?: unknown; submit?: unknown }
  if (typeof text === 'string' && submit === undefined) return text
  throw new TypeError('behind a pooler of transactions a statement is a text with its values')
}
