import { GatheredWalk } from '../numbers/gathered.ts'
import type { Ordered } from '../numbers/ordered.ts'
import { END, type Walk } from '../numbers/walk.ts'
import type { CompiledClause, Lookup } from './compiled-query.ts'
import type { Documents } from './documents.ts'
import { WHOLE } from './relevance.ts'
import { SlotWalk } from './slot-walk.ts'

const BEFORE_ALL = -1

/** The most that a lookup can add to a document. */
const mostOf = ({ names, inName, inText }: Lookup): number => (names?.length === 0 ? inText : inName)

/** The walks that together meet every document that can have enough points. */
interface Lead {
  readonly size: number
  readonly walks: () => readonly Walk[]
}

/**
 * Walks through the documents that can reach a share of a clause's points. The higher the share, the fewer lists are
 * needed: if every hit needs a certain word, its list alone; else enough lists that the other words cannot suffice.
 */
export class ClauseWalk {
  /** The current position. */
  item: number = BEFORE_ALL
  readonly #clause: CompiledClause
  readonly #everything: Ordered
  readonly #start: number
  readonly #slots: readonly SlotWalk[]
  readonly #musts: readonly Walk[]
  readonly #withouts: readonly Walk[]
  readonly #mustSizes: readonly number[]
  /** The most that lookups can add. */
  readonly #fromLookups: number
  readonly #most: number
  #leading: readonly Walk[] = []
  #share = -1
  #needed = 0
  /** The points of the slots at `item`. */
  #points = 0

  constructor(clause: CompiledClause, everything: Ordered, within: readonly Ordered[], start: number) {
    this.#clause = clause
    this.#everything = everything
    this.#start = start
    this.#slots = clause.slots.map((slot) => new SlotWalk(slot, start))
    const musts = [...clause.musts, ...within].toSorted((a, b) => a.size - b.size)
    this.#musts = musts.map((list) => list.walk(start))
    this.#withouts = clause.withouts.map((list) => list.walk(start))
    this.#mustSizes = musts.map(({ size }) => size)
    this.#fromLookups = clause.lookups.reduce((sum, lookup) => sum + mostOf(lookup), 0)
    this.#most = this.#slots.reduce((sum, { inName }) => sum + inName, this.#fromLookups)
  }

  /** From now on considers only documents that can reach this share. */
  need(share: number): void {
    const { total } = this.#clause
    const needed = Math.max(total > 0 ? 1 : 0, Math.ceil((share * total) / WHOLE))
    if (share === this.#share) return
    this.#share = share
    this.#needed = needed
    this.item = BEFORE_ALL
    this.#leading = this.#most < needed || share > WHOLE ? [] : this.#lead().walks()
  }

  /** Moves to the first document from a position on that can have enough points. */
  seek(from: number): void {
    if (this.item >= from) return
    for (let position = from; ; ) {
      let here = END
      for (const walk of this.#leading) {
        if (walk.item < position) walk.seek(position)
        if (walk.item < here) here = walk.item
      }
      if (here === END) {
        this.item = END
        return
      }
      let ahead = here
      for (const walk of this.#musts) {
        if (walk.item < ahead) walk.seek(ahead)
        if (walk.item > ahead) ahead = walk.item
      }
      position = ahead > here ? ahead : this.#pass(here)
      if (position === here) {
        this.item = here
        return
      }
    }
  }

  /** The highest share that the document can have, as far as its lists tell. */
  get mostShare(): number {
    return this.#shareOf(this.#points + this.#fromLookups)
  }

  /** The share of the current document, which is read only if its lists do not tell; -1 if it is no hit. */
  shareOf(documents: Documents): number {
    const { lookups, excludes } = this.#clause
    if (this.#isExcluded()) return -1
    let points = this.#points
    if (lookups.length > 0 || excludes) {
      const document = documents.at(this.item)
      if (excludes?.(document)) return -1
      for (const { pointsOf } of lookups) {
        const more = pointsOf(document)
        if (more < 0) return -1
        points += more
      }
    }
    return points > 0 || this.#clause.total === 0 ? this.#shareOf(points) : -1
  }

  /** Whether the current document has an excluded word, as its list tells without reading the document. */
  #isExcluded(): boolean {
    for (const walk of this.#withouts) {
      if (walk.item < this.item) walk.seek(this.item)
      if (walk.item === this.item) return true
    }
    return false
  }

  #shareOf(points: number): number {
    const { total } = this.#clause
    return total === 0 ? WHOLE : Math.floor((points * WHOLE) / total)
  }

  /** Returns the position itself if its document can have enough points; else the next one to check. */
  #pass(position: number): number {
    let rest = this.#most
    let points = 0
    for (const slot of this.#slots) {
      const here = slot.pointsAt(position)
      points += here
      rest -= slot.inName
      if (points + rest >= this.#needed) continue
      const isNeeded = here === 0 && this.#most - slot.inName < this.#needed
      return isNeeded ? slot.next() : position + 1
    }
    this.#points = points
    return position
  }

  #lead(): Lead {
    const needed = this.#needed
    const leads: Lead[] = []
    const [must] = this.#musts
    if (must) leads.push({ size: this.#mustSizes[0] ?? 0, walks: () => [must] })
    for (const slot of this.#slots) {
      const others = this.#most - slot.inName
      if (others >= needed) continue
      const part = others + slot.inText < needed ? 'names' : 'texts'
      leads.push({ size: part === 'names' ? slot.namesSize : slot.textsSize, walks: () => slot.walks(part) })
    }
    for (const lookup of this.#clause.lookups) leads.push(...this.#nameLead(lookup))
    leads.push(this.#anyLead())
    return leads.reduce((least, lead) => (lead.size < least.size ? lead : least))
  }

  /** The names of a phrase or prefix, if only a match in the name suffices. */
  #nameLead(lookup: Lookup): Lead[] {
    const { names, inText } = lookup
    if (!names || this.#most - mostOf(lookup) + inText >= this.#needed) return []
    const size = names.reduce((sum, list) => sum + list.size, 0)
    const [only, ...others] = names
    return [{ size, walks: () => [only && others.length === 0 ? only.walk(this.#start) : new GatheredWalk(names)] }]
  }

  /** The shortest lists that together contain every hit: a document in none of them has too few points. */
  #anyLead(): Lead {
    let unseen = this.#fromLookups
    let size = 0
    const walks: Walk[] = []
    for (const slot of this.#slots.toSorted((a, b) => b.textsSize - a.textsSize)) {
      if (unseen + slot.inName < this.#needed) {
        unseen += slot.inName
      } else if (unseen + slot.inText < this.#needed) {
        unseen += slot.inText
        size += slot.namesSize
        walks.push(...slot.walks('names'))
      } else {
        size += slot.textsSize
        walks.push(...slot.walks('texts'))
      }
    }
    if (unseen < this.#needed && walks.length > 0) return { size, walks: () => walks }
    return { size: this.#everything.size, walks: () => [this.#everything.walk(this.#start)] }
  }
}
