import { intersection } from '../numbers/intersection.ts'
import type { Ordered } from '../numbers/ordered.ts'
import { union } from '../numbers/union.ts'
import type { Walk } from '../numbers/walk.ts'
import type { Source } from './wanted.ts'

/** About so many documents are looked at for one that is shown. */
const SHOWN_OF = 4
/** More lists are not opened to narrow down what another source holds; the documents are looked at instead. */
const MANY_LISTS = 64

export interface Opened {
  readonly walk: Walk
  /** False when it may meet documents that do not stand in all sources of one of the lists. */
  readonly isExact: boolean
}

/**
 * Walks through what stands in all sources of one of some lists of sources. It may meet more than that, and never
 * less: a prefix has very many lists sometimes, and to open them can take longer than to look at documents.
 * @param everything the positions of all documents
 * @param limit how many documents are wanted
 * @param start the position to begin at
 */
export function open(everything: Ordered, anyOf: readonly (readonly Source[])[], limit: number, start: number): Opened {
  const walkOf = ({ lists }: Source): Walk => union(lists.map((list) => list.walk(start)))
  let isExact = true
  const walks: Walk[] = []
  for (const sources of anyOf) {
    const [first, ...others] = sources.toSorted((a, b) => a.size - b.size)
    if (!first || isDearerThanAll(first, everything.size, limit)) {
      return { walk: everything.walk(start), isExact: false }
    }
    const narrowing = others.filter(({ lists }) => lists.length <= MANY_LISTS)
    if (narrowing.length < others.length) isExact = false
    walks.push(intersection([walkOf(first), ...narrowing.map(walkOf)]))
  }
  return { walk: union(walks), isExact }
}

/** Whether its lists are more than the documents one would look at, among all, until enough are found. */
const isDearerThanAll = ({ lists, size }: Source, all: number, limit: number): boolean =>
  lists.length > Math.min(all, (SHOWN_OF * limit * all) / Math.max(1, size))
