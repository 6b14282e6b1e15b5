/** A schema's own mark, and what is stored about it outside its database. */
export interface MarkSeen {
  /** How many times it was recorded that its commits are acknowledged. */
  readonly beat: number
  /** The highest beat stored outside; undefined where there is none. */
  readonly keptBeat: number | undefined
  /** The server's history: system identifier and timeline. */
  readonly history: string
  /** The history under which the schema was last written; null before the first beat. */
  readonly knownHistory: string | null
}

/**
 * Whether a schema is at an earlier state than before: a backup was restored, or a server with fewer commits took over.
 * A beat is stored outside only once its commit was acknowledged, so a takeover that lost nothing is at or above it.
 * Where nothing is stored outside, a changed history counts as a loss, since no one can tell whether it was one.
 * @returns why, in words; undefined when nothing was lost
 */
export function restoredBecause({ beat, keptBeat, history, knownHistory }: MarkSeen): string | undefined {
  if (keptBeat !== undefined && keptBeat > beat)
    return `it stands at mark ${beat}, and mark ${keptBeat} was acknowledged`
  if (keptBeat !== undefined || knownHistory === null || history === knownHistory) return undefined
  return `it was written under history ${knownHistory} of Postgres and stands under ${history}, and no mark is kept in Redis`
}
