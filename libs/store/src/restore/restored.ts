/** What a schema says of itself, and what was kept of it outside its database. */
export interface MarkSeen {
  /** How often it was written down that its commits are acknowledged. */
  readonly beat: number
  /** The highest beat that was kept outside; undefined where nothing is kept there. */
  readonly keptBeat: number | undefined
  /** Which history of which server this is: system identifier and timeline. */
  readonly history: string
  /** The history under which the schema was written last; null before the first beat. */
  readonly knownHistory: string | null
}

/**
 * Whether a schema stands earlier than it once stood: a backup was restored, or a server with fewer commits took over.
 * A beat is kept outside only once its commit was acknowledged, so a takeover that lost nothing stands at or above it. Where
 * nothing is kept outside, another history is one whose loss nobody can tell, and counts as one.
 * @returns why, in words; undefined when it stands where it stood
 */
export function restoredBecause({ beat, keptBeat, history, knownHistory }: MarkSeen): string | undefined {
  if (keptBeat !== undefined && keptBeat > beat)
    return `it stands at mark ${beat}, and mark ${keptBeat} was acknowledged`
  if (keptBeat !== undefined || knownHistory === null || history === knownHistory) return undefined
  return `it was written under history ${knownHistory} of Postgres and stands under ${history}, and no mark is kept in Redis`
}
