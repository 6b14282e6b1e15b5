import type { Ledger } from './ledger.ts'
import { type OnMessage, textsOf } from './postgres-messages.ts'

interface Asked {
  readonly at: number
  readonly text: string
}

/** A unit that ends with one ReadyForQuery. */
const SYNC = 'sync'

/**
 * One connection to Postgres: the statements and transactions run on it. It counts what the server reports: a
 * CommandComplete is a statement, and whenever the server is ready outside a transaction after one, a transaction has
 * ended. So an autocommitted statement is one, and so is a pipeline committed by one Sync. A round trip is what is sent
 * until all of it is answered.
 */
export class PostgresSession {
  #service = 'unknown'
  readonly #ledger: Ledger
  readonly #statements = new Map<string, string>()
  readonly #portals = new Map<string, string>()
  #pending: (Asked | typeof SYNC)[] = []
  #last: Asked | undefined
  /** When the first statement of the current transaction was sent. */
  #began: number | undefined

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  readonly fromFrontend: OnMessage = (type, body) => {
    if (type === 'startup') this.#start(body)
    if (type === 'P') this.#parse(body)
    if (type === 'B') this.#bind(body)
    if (type === 'E') this.#ask(this.#portals.get(textsOf(body, 1)[0] ?? '') ?? '')
    if (type === 'Q') this.#ask(textsOf(body, 1)[0] ?? '')
    if (type === 'Q' || type === 'S') this.#flush()
  }

  readonly fromBackend: OnMessage = (type, body) => {
    if (type === 'C' || type === 'I' || type === 's') this.#completed()
    if (type === 'E') this.#failed()
    if (type === 'Z') this.#ready(String.fromCharCode(body[0] ?? 0))
  }

  #start(body: Buffer): void {
    const words = textsOf(body.subarray(4), Number.POSITIVE_INFINITY)
    const name = words.indexOf('application_name')
    if (name >= 0) this.#service = (words[name + 1] ?? '').replace(/^callboard-/, '').replaceAll('_', '-')
  }

  #parse(body: Buffer): void {
    const [name = '', text = ''] = textsOf(body, 2)
    this.#statements.set(name, text)
  }

  #bind(body: Buffer): void {
    const [portal = '', name = ''] = textsOf(body, 2)
    this.#portals.set(portal, this.#statements.get(name) ?? '')
  }

  #ask(text: string): void {
    this.#pending.push({ at: performance.now(), text })
  }

  /** Anything sent while answers are outstanding belongs to the same round trip. */
  #flush(): void {
    const isFirst = !this.#pending.includes(SYNC)
    this.#pending.push(SYNC)
    if (isFirst) this.#ledger.add({ at: performance.now(), what: 'round trips to Postgres', by: this.#service })
  }

  #completed(): void {
    // A simple query may contain several statements, which end one after the other.
    if (this.#pending[0] !== SYNC) this.#last = this.#pending.shift() as Asked | undefined
    if (!this.#last) return
    const { at, text } = this.#last
    this.#began ??= at
    this.#ledger.add({ at, what: 'statements', by: this.#service, text, ms: performance.now() - at })
  }

  #failed(): void {
    this.#completed()
    const sync = this.#pending.indexOf(SYNC)
    this.#pending = sync < 0 ? [] : this.#pending.slice(sync)
  }

  #ready(status: string): void {
    const sync = this.#pending.indexOf(SYNC)
    if (sync < 0) return
    this.#pending = this.#pending.slice(sync + 1)
    const now = performance.now()
    if (status !== 'I' || this.#began === undefined) return
    const ms = now - this.#began
    this.#ledger.add({ at: this.#began, what: 'transactions', by: this.#service, ms })
    this.#began = undefined
  }
}
