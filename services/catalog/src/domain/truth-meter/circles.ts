/** The strongly connected components of a directed graph that have at least two nodes. */
export function circlesOf(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const circles: string[][] = []
  const enter = (node: string) => {
    order.set(node, order.size)
    low.set(node, order.size - 1)
    open.push(node)
    isOpen.add(node)
  }
  const lower = (node: string, to: number | undefined) => {
    if (to !== undefined && to < (low.get(node) ?? 0)) low.set(node, to)
  }
  const leave = (node: string) => {
    if (low.get(node) !== order.get(node)) return
    const circle = open.splice(open.lastIndexOf(node))
    for (const member of circle) isOpen.delete(member)
    if (circle.length > 1) circles.push(circle)
  }
  for (const start of next.keys()) {
    if (order.has(start)) continue
    enter(start)
    // Without recursion: a circle may have as many members as there are wallets.
    const path = [{ node: start, at: 0 }]
    while (path.length > 0) {
      const step = path.at(-1)
      if (!step) break
      const to = next.get(step.node)?.[step.at]
      step.at += 1
      if (to === undefined) {
        path.pop()
        leave(step.node)
        const before = path.at(-1)
        if (before) lower(before.node, low.get(step.node))
      } else if (!order.has(to)) {
        enter(to)
        path.push({ node: to, at: 0 })
      } else if (isOpen.has(to)) lower(step.node, order.get(to))
    }
  }
  return circles
}
