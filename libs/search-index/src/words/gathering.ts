import { Ordered } from '../numbers/ordered.ts'

/** Documents between two yields. */
const BETWEEN_YIELDS = 2_000

/** A document at its place, and the numbers of some of its words. */
export type WordsAt = (index: number) => { readonly position: number; readonly ids: Int32Array }

/**
 * The positions of every word of many documents, made in two turns over them: one counts, one writes each position
 * where it belongs. That takes a third of the time of appending to lists that grow.
 * @param bound numbers of words lie below it
 * @param count documents, in their order
 */
export async function gathered(
  bound: number,
  count: number,
  wordsAt: WordsAt,
  yieldToEventLoop: () => Promise<unknown>,
): Promise<(Ordered | undefined)[]> {
  const ends = new Int32Array(bound + 1)
  for (let index = 0; index < count; index += 1) {
    if (index % BETWEEN_YIELDS === 0) await yieldToEventLoop()
    const { ids } = wordsAt(index)
    for (let at = 0; at < ids.length; at += 1) ends[(ids[at] ?? 0) + 1] = (ends[(ids[at] ?? 0) + 1] ?? 0) + 1
  }
  for (let id = 0; id < bound; id += 1) ends[id + 1] = (ends[id + 1] ?? 0) + (ends[id] ?? 0)
  const starts = ends.slice(0, bound)
  const next = starts.slice()
  const positions = new Int32Array(ends[bound] ?? 0)
  for (let index = 0; index < count; index += 1) {
    if (index % BETWEEN_YIELDS === 0) await yieldToEventLoop()
    const { position, ids } = wordsAt(index)
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] ?? 0
      const to = next[id] ?? 0
      // A word that a document has twice stands there already.
      if (to > (starts[id] ?? 0) && positions[to - 1] === position) continue
      positions[to] = position
      next[id] = to + 1
    }
  }
  const lists = new Array<Ordered | undefined>(bound).fill(undefined)
  for (let id = 0; id < bound; id += 1) {
    if (id % (10 * BETWEEN_YIELDS) === 0) await yieldToEventLoop()
    const [start, end] = [starts[id] ?? 0, next[id] ?? 0]
    if (end > start) lists[id] = Ordered.of(positions.subarray(start, end))
  }
  return lists
}
