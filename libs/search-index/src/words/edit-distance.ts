/** For longer words, the table is allocated anew. */
const USUAL_LENGTH = 64

/** Distances of the last three letters of one word to each prefix of the other; reused for thousands of words. */
let rows = newRows(USUAL_LENGTH)

function newRows(length: number): [Int32Array, Int32Array, Int32Array] {
  return [new Int32Array(length + 2), new Int32Array(length + 2), new Int32Array(length + 2)]
}

/**
 * How many letters must be inserted, deleted, replaced, or swapped with their neighbour to turn one word into another;
 * `most + 1` if it is more than `most`. Only prefixes whose lengths differ by at most `most` are compared.
 * @source optimal string alignment distance; Ukkonen, Algorithms for approximate string matching, 1985: the band
 */
export function editDistance(a: string, b: string, most: number): number {
  const beyond = most + 1
  if (Math.abs(a.length - b.length) > most) return beyond
  if (b.length > rows[0].length - 2) rows = newRows(b.length)
  let [before, last, row] = rows
  for (let other = 0; other <= Math.min(b.length, most); other += 1) last[other] = other
  last[Math.min(b.length, most) + 1] = beyond
  for (let at = 1; at <= a.length; at += 1) {
    const from = Math.max(1, at - most)
    const to = Math.min(b.length, at + most)
    let left = from === 1 ? at : beyond
    let least = left
    row[from - 1] = left
    for (let other = from; other <= to; other += 1) {
      const isSame = a.charCodeAt(at - 1) === b.charCodeAt(other - 1)
      let cost = Math.min(left + 1, (last[other] ?? beyond) + 1, (last[other - 1] ?? beyond) + (isSame ? 0 : 1))
      const isSwapped =
        !isSame &&
        at > 1 &&
        other > 1 &&
        a.charCodeAt(at - 1) === b.charCodeAt(other - 2) &&
        a.charCodeAt(at - 2) === b.charCodeAt(other - 1)
      if (isSwapped) cost = Math.min(cost, (before[other - 2] ?? beyond) + 1)
      row[other] = cost
      left = cost
      if (cost < least) least = cost
    }
    if (least > most) return beyond
    row[to + 1] = beyond
    const spare = before
    before = last
    last = row
    row = spare
  }
  return Math.min(beyond, last[b.length] ?? beyond)
}
