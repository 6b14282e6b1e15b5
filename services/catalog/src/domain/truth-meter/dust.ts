import type { Edges, Named } from './paid-edge.ts'

/** Fewer in two weeks are stray payments. */
const MANY = 10

/** Many calls below the floor. Of a named edge, only the calls below the floor are set aside. */
export function dust({ byPayee }: Edges): Named {
  const named = new Map<Edges['edges'][number], { calls: number }>()
  for (const edges of byPayee.values()) {
    const calls = edges.reduce((sum, edge) => sum + edge.dust, 0)
    if (calls < MANY) continue
    for (const edge of edges) if (edge.dust > 0) named.set(edge, { calls })
  }
  return named
}
