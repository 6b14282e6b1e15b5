import type { ImportGraph } from '../source-files.ts'

/**
 * The cycles of files that import each other: each is a set of files that all reach one another.
 * @source R. Tarjan, Depth-first search and linear graph algorithms (1972)
 */
export function circlesOf(graph: ImportGraph): readonly (readonly string[])[] {
  const circles: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()

  function lower(file: string, to: number | undefined): void {
    lowest.set(file, Math.min(lowest.get(file) ?? Number.POSITIVE_INFINITY, to ?? Number.POSITIVE_INFINITY))
  }

  function visit(file: string): void {
    order.set(file, order.size)
    lower(file, order.get(file))
    stack.push(file)
    onStack.add(file)
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) {
        visit(next)
        lower(file, lowest.get(next))
      } else if (onStack.has(next)) lower(file, order.get(next))
    }
    if (lowest.get(file) !== order.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    for (const one of circle) onStack.delete(one)
    if (circle.length > 1 || graph.get(file)?.includes(file)) circles.push(circle.sort())
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return circles
}
