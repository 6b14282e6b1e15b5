/**
 * How many letters have to be put in, taken out, replaced, or swapped with their neighbour to make one word of another;
 * `most + 1` for more than are asked for.
 * @source optimal string alignment distance
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let at = 1; at <= a.length; at += 1) {
    const row = [at]
    let least = at
    for (let other = 1; other <= b.length; other += 1) {
      const isSame = a.charCodeAt(at - 1) === b.charCodeAt(other - 1)
      let cost = Math.min((last[other] ?? 0) + 1, (row[other - 1] ?? 0) + 1, (last[other - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped =
        at > 1 &&
        other > 1 &&
        a.charCodeAt(at - 1) === b.charCodeAt(other - 2) &&
        a.charCodeAt(at - 2) === b.charCodeAt(other - 1)
      if (isSwapped) cost = Math.min(cost, (before[other - 2] ?? 0) + 1)
      row.push(cost)
      if (cost < least) least = cost
    }
    if (least > most) return most + 1
    before = last
    last = row
  }
  return Math.min(most + 1, last[b.length] ?? 0)
}
