export interface BatchByTurnOptions {
  /** The most items of one batch. */
  readonly most: number
  /** Calls what it is given at the end of the turn of the event loop. */
  readonly endOfTurn: (leave: () => void) => void
}

/**
 * Lets calls of one turn of the event loop share their work, without waiting for another turn's.
 * @param work answers a batch, in order; when it fails, each of its calls does
 */
export function batchByTurn<In, Out>(
  work: (items: readonly In[]) => Promise<readonly Out[]>,
  { most, endOfTurn }: BatchByTurnOptions,
): (item: In) => Promise<Out> {
  let waiting: { readonly item: In; readonly answer: PromiseWithResolvers<Out> }[] = []
  const leave = async (batch: typeof waiting) => {
    try {
      const outs = await work(batch.map(({ item }) => item))
      for (const [place, { answer }] of batch.entries()) answer.resolve(outs[place] as Out)
    } catch (error) {
      for (const { answer } of batch) answer.reject(error)
    }
  }
  const leaveAll = () => {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += most) void leave(all.slice(from, from + most))
  }
  return (item) => {
    const answer = Promise.withResolvers<Out>()
    if (waiting.push({ item, answer }) === 1) endOfTurn(leaveAll)
    return answer.promise
  }
}
