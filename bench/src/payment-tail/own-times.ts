import type { Span } from './collector.ts'

/**
 * How a request spent its time: each moment of its root span belongs to the innermost span open then or, of several, to
 * the one that was opened last.
 * @param spans of one trace
 * @returns milliseconds by span name, which add up to the length of the root
 */
export function ownTimes(root: Span, spans: readonly Span[]): Map<string, number> {
  const inside = [root, ...spans.filter((span) => span !== root && isWithin(span, root))]
  const moments = [...new Set(inside.flatMap(({ start, end }) => [start, end]))].filter(
    (moment) => moment >= root.start && moment <= root.end,
  )
  moments.sort((one, other) => one - other)
  const depth = depthsOf(inside)
  const isInner = (one: Span, other: Span) => depth(one) - depth(other) || one.start - other.start
  const times = new Map<string, number>()
  for (const [index, from] of moments.slice(0, -1).entries()) {
    const to = moments[index + 1] ?? from
    const open = inside.filter(({ start, end }) => start <= from && end >= to)
    const innermost = open.toSorted(isInner).at(-1) ?? root
    times.set(innermost.name, (times.get(innermost.name) ?? 0) + (to - from))
  }
  return times
}

const isWithin = (span: Span, root: Span): boolean => span.end > root.start && span.start < root.end

/** The nesting depth of each span; clocks of spans are too coarse to tell. */
function depthsOf(spans: readonly Span[]): (span: Span) => number {
  const byId = new Map(spans.map((span) => [span.id, span]))
  const depth = (span: Span): number => {
    const parent = span.parent === undefined ? undefined : byId.get(span.parent)
    return parent ? depth(parent) + 1 : 0
  }
  return depth
}
