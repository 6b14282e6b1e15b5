import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Work done for many items at once.
 * @returns an answer for each, in order; the caller waits for a pending one, but no later turn does
 */
export type SharedWork<In, Out> = (items: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>

export interface CoalesceOptions {
  /** The most items of one turn. */
  readonly most: number
  /** Whether an error concerns every item. After any other error the turn is repeated for each item alone. */
  readonly isShared?: (error: unknown) => boolean
}

interface Waiting<In, Out> {
  readonly item: In
  readonly resolve: (out: Out | Promise<Out>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Lets concurrent calls share their work: one statement, one JSON-RPC batch, one transaction.
 *
 * A call made while nothing is in progress is served at once, with those of the same turn of the event loop. One made
 * during a turn shares the next. So no call waits for others, and the busier the process, the less each call costs. No
 * item fails because of another: a failed turn is repeated item by item.
 */
export function coalesce<In, Out>(
  work: SharedWork<In, Out>,
  { most, isShared = () => false }: CoalesceOptions,
): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = []
  let isRunning = false

  async function serve(turn: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await work(turn.map(({ item }) => item))
      if (outs.length !== turn.length) throw new Error(`${outs.length} answers for ${turn.length} items`)
      for (const [index, { resolve }] of turn.entries()) resolve(outs[index] as Out | Promise<Out>)
    } catch (error) {
      if (turn.length === 1 || isShared(error)) for (const { reject } of turn) reject(error)
      else await Promise.all(turn.map((alone) => serve([alone])))
    }
  }

  async function run(): Promise<void> {
    await nextTurn()
    while (waiting.length > 0) await serve(waiting.splice(0, most))
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isRunning) return
      isRunning = true
      void run()
    })
}
