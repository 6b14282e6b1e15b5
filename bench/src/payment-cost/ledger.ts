/** What a proxy of the benchmark counts. */
export type Counted = (typeof COUNTED)[number]

export const COUNTED = [
  'statements',
  'round trips to Postgres',
  'transactions',
  'HTTP requests to the node',
  'WebSocket messages to the node',
  'JSON-RPC calls',
  'writes to sockets',
] as const

/** One thing that the instance did. */
export interface Entry {
  /** When it began, by `performance.now()`. */
  readonly at: number
  readonly what: Counted
  /** The service that did it, the JSON-RPC method, or the recipient of a write. */
  readonly by: string
  /** A statement's text, or the subject of a JSON-RPC call. */
  readonly text?: string
  /** How long it took, if known, in milliseconds. */
  readonly ms?: number
}

/** How often each thing was done, and by whom. */
export interface Count {
  readonly total: ReadonlyMap<Counted, number>
  readonly by: ReadonlyMap<Counted, ReadonlyMap<string, number>>
}

/** Everything that an instance did, as the proxies saw it. */
export class Ledger {
  readonly #entries: Entry[] = []

  add(entry: Entry): void {
    this.#entries.push(entry)
  }

  /** What began in a period, in order. */
  between(from: number, to: number): Entry[] {
    return this.#entries.filter(({ at }) => at >= from && at < to).sort((one, other) => one.at - other.at)
  }

  forget(): void {
    this.#entries.length = 0
  }
}

export function countOf(entries: readonly Entry[]): Count {
  const total = new Map<Counted, number>()
  const by = new Map<Counted, Map<string, number>>(COUNTED.map((what) => [what, new Map()]))
  for (const { what, by: who } of entries) {
    total.set(what, (total.get(what) ?? 0) + 1)
    const own = by.get(what)
    own?.set(who, (own.get(who) ?? 0) + 1)
  }
  return { total, by }
}
