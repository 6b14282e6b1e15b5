/** How many things are sorted, or merged, in one go. */
const RUN = 2_000

/**
 * Sorts things without blocking the event loop for long.
 * @param yieldToEventLoop awaited now and then
 */
export async function sorted<Thing>(
  things: readonly Thing[],
  compare: (a: Thing, b: Thing) => number,
  yieldToEventLoop: () => Promise<unknown>,
): Promise<readonly Thing[]> {
  let runs: (readonly Thing[])[] = []
  for (let at = 0; at < things.length; at += RUN) {
    runs.push(things.slice(at, at + RUN).sort(compare))
    await yieldToEventLoop()
  }
  while (runs.length > 1) {
    const merged: (readonly Thing[])[] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, yieldToEventLoop))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<Thing>(
  a: readonly Thing[],
  b: readonly Thing[],
  compare: (a: Thing, b: Thing) => number,
  yieldToEventLoop: () => Promise<unknown>,
): Promise<Thing[]> {
  const merged: Thing[] = []
  let [atA, atB] = [0, 0]
  for (;;) {
    const [nextA, nextB] = [a[atA], b[atB]]
    const isA = nextA !== undefined && (nextB === undefined || compare(nextA, nextB) <= 0)
    const next = isA ? nextA : nextB
    if (next === undefined) return merged
    merged.push(next)
    if (isA) atA += 1
    else atB += 1
    if (merged.length % RUN === 0) await yieldToEventLoop()
  }
}
