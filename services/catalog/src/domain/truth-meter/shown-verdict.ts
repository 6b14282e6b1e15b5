import type { InventedVolume } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { liftOf, patternsIn, reasonOf, type Suspicion } from './patterns.ts'
import { WEEK_MS, weekOf } from './week.ts'

/** A call's verdict for a reader: each of its patterns with reason, what lifts it, and the week's end. */
export function shownVerdict(bits: number, suspicions: readonly Suspicion[], at: Date): InventedVolume[] {
  const shown = new Set(patternsIn(bits))
  const until = isoTime(weekOf(at.getTime()) + WEEK_MS)
  return suspicions
    .filter(({ pattern }) => shown.has(pattern))
    .map((suspicion) => ({
      pattern: suspicion.pattern,
      reason: reasonOf(suspicion),
      lifts: liftOf(suspicion.pattern),
      until,
    }))
}
