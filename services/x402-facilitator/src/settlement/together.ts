import { setImmediate as nextMoment } from 'node:timers/promises'

/** Work that is done for many at once. @returns an answer for each, in their order */
export type JointWork<In, Out> = (items: readonly In[]) => Promise<readonly Out[]>

export interface TogetherOptions {
  /** The most items of one turn. */
  readonly most: number
  /** Whether an error is everybody's. After any other one the turn is repeated for each alone. */
  readonly isShared?: (error: unknown) => boolean
}

interface Waiting<In, Out> {
  readonly item: In
  readonly resolve: (out: Out) => void
  readonly reject: (error: unknown) => void
}

/**
 * Lets all who need the same work at the same time share it: one statement, one JSON-RPC batch, one transaction.
 *
 * Whoever comes while nothing is under way is served at once, together with those of the same moment. Whoever comes during
 * a turn shares the next one. So nobody waits for company, and the busier it is, the less each one costs. Nobody fails
 * for another's sake: a turn that fails is repeated one by one.
 */
export function together<In, Out>(
  work: JointWork<In, Out>,
  { most, isShared = () => false }: TogetherOptions,
): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = []
  let isRunning = false

  async function serve(turn: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await work(turn.map(({ item }) => item))
      if (outs.length !== turn.length) throw new Error(`${outs.length} answers for ${turn.length} items`)
      for (const [index, { resolve }] of turn.entries()) resolve(outs[index] as Out)
    } catch (error) {
      if (turn.length === 1 || isShared(error)) for (const { reject } of turn) reject(error)
      else await Promise.all(turn.map((alone) => serve([alone])))
    }
  }

  async function run(): Promise<void> {
    await nextMoment()
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
