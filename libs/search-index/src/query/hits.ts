import type { Ordered } from '../numbers/ordered.ts'
import { END } from '../numbers/walk.ts'
import { Candidates } from './candidates.ts'
import type { CompiledQuery } from './compiled-query.ts'
import type { Documents } from './documents.ts'
import { EXACT_NAME, floorOf, TIERS } from './relevance.ts'

/** Whether a document is among those asked for. `counted` ones are no hits; only their number is returned. */
export type HitVisibility = 'shown' | 'counted' | 'none'

export interface HitsQuestion {
  /** The position after each band, ascending, the last END. Hits in earlier bands come first, whatever their tier. */
  readonly bandEnds: readonly number[]
  readonly limit: number
  readonly visibilityOf: (position: number) => HitVisibility
  /** Lists that contain every hit. */
  readonly within: readonly Ordered[]
  /** Hits of this tier and better ones are left out: they are known already. Absent: none is. */
  readonly above?: number
  /** To continue after a hit: its band and tier, the position after it, and the floor that was found with it. */
  readonly after?:
    | { readonly band: number; readonly tier: number; readonly from: number; readonly floor: number }
    | undefined
  /** `counted` documents are counted up to this number, and are in the first `countedBands` bands only. */
  readonly mostCounted: number
  readonly countedBands: number
}

export interface Hit {
  readonly band: number
  readonly tier: number
  readonly position: number
}

export interface Hits {
  /** Ordered by band, tier and position. */
  readonly rows: readonly Hit[]
  /** The last tier that counts as a result. */
  readonly floor: number
  /** How many of the `counted` documents would be hits if they were shown. */
  readonly counted: number
}

/** No tier. */
const NONE = -1
const NOTHING: number[] = []
/** Hits of this tier and better ones stay, however good the best hit turns out to be. */
const SURE = floorOf(EXACT_NAME)

/**
 * Finds the best hits of a query in one walk along the order. A document too far below the best hit is no hit, wherever
 * it is, so each one stays a candidate until the best is known. Documents that cannot change the answer are not read.
 */
export function hitsOf(
  asked: CompiledQuery,
  documents: Documents,
  { bandEnds, limit, visibilityOf, within, above = NONE, after, mostCounted, countedBands }: HitsQuestion,
): Hits {
  const fixed = after?.floor
  const firstBand = after?.band ?? 0
  const bandStart = firstBand === 0 ? 0 : (bandEnds[firstBand - 1] ?? 0)
  // If all hits rank alike, or the last one was of the last tier, the rest of its band is behind it.
  const start = after && (asked.isUnranked || after.tier >= after.floor) ? after.from : bandStart
  const candidates = new Candidates(asked, documents.everything, within, start)
  const found: number[][][] = []
  const counted = new Array<number>(TIERS).fill(0)
  let best = fixed === undefined ? tierOfOne(asked, documents, { bandEnds, visibilityOf, within }, start) : TIERS - 1
  let bestCounted = TIERS - 1
  let sure = 0
  let sureCounted = 0
  let position = start
  const floor = () => fixed ?? floorOf(best)

  for (let band = firstBand; band < bandEnds.length && position < END; band += 1) {
    const end = bandEnds[band] ?? END
    const tiers = new Array<number[]>(TIERS).fill(NOTHING)
    found.push(tiers)
    const isOld = (tier: number) =>
      after !== undefined && band === firstBand && (tier < after.tier || (tier === after.tier && position < after.from))
    const neededTier = () => {
      const last = lastUseful(tiers, limit - sure, floor(), fixed ?? SURE)
      const forBest = fixed === undefined && best > 1 ? best - 1 : NONE
      const forCount = band < countedBands && sureCounted < mostCounted ? floor() : NONE
      return Math.max(last, forBest, forCount)
    }
    let needed = neededTier()
    candidates.need(needed)
    for (candidates.seek(position); needed > NONE && candidates.item < end; candidates.seek(position)) {
      position = candidates.item
      const bestTier = candidates.bestTier
      if (bestTier <= needed) {
        const visibility = visibilityOf(position)
        const tier = visibility === 'none' ? undefined : candidates.tierOf(documents)
        if (tier !== undefined && tier <= floor()) {
          if (visibility === 'shown') {
            if (tier < best) best = tier
            const known = tiers[tier] ?? NOTHING
            // Hits of earlier pages are skipped, and so are those beyond what one tier can contribute.
            if (tier > above && !isOld(tier) && known.length < limit) {
              if (known === NOTHING) tiers[tier] = [position]
              else known.push(position)
            }
          } else if (mostCounted > 0) {
            if (tier < bestCounted) bestCounted = tier
            counted[tier] = (counted[tier] ?? 0) + 1
            if (tier <= SURE) sureCounted += 1
          }
          const now = neededTier()
          if (now !== needed) {
            needed = now
            candidates.need(needed)
          }
        }
      }
      position += 1
    }
    position = Math.max(position, end)
    for (let tier = 0; tier <= (fixed ?? SURE); tier += 1) sure += tiers[tier]?.length ?? 0
  }
  const lowest = floor()
  const rows: Hit[] = []
  for (const [at, tiers] of found.entries()) {
    for (let tier = 0; tier <= lowest && rows.length < limit; tier += 1) {
      for (const one of tiers[tier] ?? NOTHING) rows.push({ band: firstBand + at, tier, position: one })
    }
  }
  const lowestCounted = floorOf(Math.min(best, bestCounted))
  const count = counted.slice(0, lowestCounted + 1).reduce((sum, one) => sum + one, 0)
  return { rows: rows.slice(0, limit), floor: lowest, counted: Math.min(mostCounted, count) }
}

/**
 * The tier of the first hit that has all words of a query; the last tier if there is none. Knowing that there is one
 * saves the walk through all documents that have only a single word, which are then below the floor.
 */
function tierOfOne(
  asked: CompiledQuery,
  documents: Documents,
  { bandEnds, visibilityOf, within }: Pick<HitsQuestion, 'bandEnds' | 'visibilityOf' | 'within'>,
  start: number,
): number {
  if (!asked.clauses.some(({ slots }) => slots.length > 1)) return TIERS - 1
  const candidates = new Candidates(asked, documents.everything, within, start)
  const end = bandEnds.at(-1) ?? END
  candidates.need(SURE)
  for (candidates.seek(start); candidates.item < end; candidates.seek(candidates.item + 1)) {
    const tier = visibilityOf(candidates.item) === 'shown' ? candidates.tierOf(documents) : undefined
    if (tier !== undefined && tier <= SURE) return tier
  }
  return TIERS - 1
}

/** The last tier of a band in which further hits would still be part of the answer. */
function lastUseful(tiers: readonly number[][], room: number, floor: number, sure: number): number {
  if (room <= 0) return NONE
  let left = room
  for (let tier = 0; tier <= Math.min(floor, sure); tier += 1) {
    left -= tiers[tier]?.length ?? 0
    if (left <= 0) return tier - 1
  }
  return floor
}

/** Visits every hit down to a tier in the order of the documents, until `visit` returns false. */
export function eachHit(
  asked: CompiledQuery,
  documents: Documents,
  { within, floor }: { readonly within: readonly Ordered[]; readonly floor: number },
  visit: (position: number, tier: number) => boolean,
): void {
  const candidates = new Candidates(asked, documents.everything, within, 0)
  candidates.need(floor)
  for (candidates.seek(0); candidates.item !== END; candidates.seek(candidates.item + 1)) {
    const tier = candidates.tierOf(documents)
    if (tier !== undefined && tier <= floor && !visit(candidates.item, tier)) return
  }
}
