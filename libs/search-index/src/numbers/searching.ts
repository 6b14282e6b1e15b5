/** The first index in a range whose number is not below `item`. */
export function firstIn(items: Int32Array, from: number, to: number, item: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((items[middle] ?? item) < item) low = middle + 1
    else high = middle
  }
  return low
}

/** The same for a target that is mostly near `from`: doubling steps reach it sooner than halving the whole range. */
export function firstNear(items: Int32Array, from: number, to: number, item: number): number {
  let low = from
  let step = 1
  while (low + step < to && (items[low + step] ?? item) < item) {
    low += step
    step *= 2
  }
  return firstIn(items, low, Math.min(to, low + step + 1), item)
}

/** The first index below `to` for whose number `holds` is true; it must be true for all numbers after it too. */
export function firstOf(items: Int32Array, to: number, holds: (item: number) => boolean): number {
  let low = 0
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item === undefined || holds(item)) high = middle
    else low = middle + 1
  }
  return low
}
