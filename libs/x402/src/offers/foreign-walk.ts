/** Limits on one walk over a third party's document. The fetch bounds its bytes. */
export interface WalkBounds {
  /** Levels of nesting, the root being level 0. */
  readonly maxDepth: number
  /** Values visited in total, however often the document repeats or refers to one. */
  readonly maxNodes: number
}

/** As deep as `readJson` reads, and more nodes than any document has that is short enough to be shown. */
export const DOCUMENT_BOUNDS: WalkBounds = { maxDepth: 48, maxNodes: 10_000 }

/** A walk exceeded its bounds: nothing is known of the document as a whole. */
export class WalkTooLong extends Error {
  override readonly name = 'WalkTooLong'

  constructor({ maxDepth, maxNodes }: WalkBounds) {
    super(`The document is deeper than ${maxDepth} levels or has more than ${maxNodes} nodes`)
  }
}

/**
 * Counts the nodes of one walk. Every recursion over a third party's document enters each value through one, so that no
 * form of a document exceeds the bounds in length or depth.
 * @returns a function to call with the depth of each value, before the value is processed
 * @throws WalkTooLong from that function, at the first value beyond the bounds
 */
export function boundedWalk(bounds: WalkBounds): (depth: number) => void {
  let nodes = 0
  return (depth) => {
    nodes += 1
    if (nodes > bounds.maxNodes || depth > bounds.maxDepth) throw new WalkTooLong(bounds)
  }
}

/** The result of a walk, or `otherwise` where it exceeded its bounds. */
export function withinBounds<T>(bounds: WalkBounds, walk: (enter: (depth: number) => void) => T, otherwise: T): T {
  try {
    return walk(boundedWalk(bounds))
  } catch (error) {
    if (error instanceof WalkTooLong) return otherwise
    throw error
  }
}
