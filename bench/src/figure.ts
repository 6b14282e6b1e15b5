/** One quantity of ours next to a peer's, both measured in this run on this machine. */
export interface Comparison {
  /** What was measured, e.g. "one word, whole route, p95". */
  readonly what: string
  readonly unit: string
  readonly better: 'more' | 'less'
  readonly ours: number
  /** Absent where nothing is comparable; then only the target counts. */
  readonly peer?: { readonly name: string; readonly value: number }
  /** The goal: at least this ratio to the peer, or this value at worst. */
  readonly target?: { readonly ratio: number } | { readonly value: number }
}

/** Counts that are not comparisons, such as what one request causes. */
export interface Table {
  readonly title: string
  /** Of the values; each row starts with its subject. */
  readonly columns: readonly string[]
  /** Null where it could not be measured; the notes say why. */
  readonly rows: readonly (readonly [string, ...(number | null)[]])[]
}

/** The results of a figure's run. */
export interface Findings {
  readonly comparisons: readonly Comparison[]
  readonly tables?: readonly Table[]
  /** Sentences that a reader needs with the numbers: causes of misses, omissions. */
  readonly notes?: readonly string[]
  /** Names and versions of other participants, e.g. `{ ponder: "0.16.10" }`. */
  readonly versions?: Readonly<Record<string, string>>
}

/** Deviations from a normal run, whose results are then shown but not stored. */
export interface RunOptions {
  /** The number of payments in a load. */
  readonly payments?: number
  /** Lists what one request does, and measures nothing. */
  readonly trace?: boolean
  /** Measures just long enough to show that everything runs. */
  readonly brief?: boolean
}

/** A program that measures one thing. Its file is `figures/<name>.ts`, and exports it as `figure`. */
export interface Figure {
  readonly title: string
  /** The method, in two or three sentences: load, duration, what counts. */
  readonly method: string
  readonly run: (options: RunOptions) => Promise<Findings>
}

/** How many times better than the peer we are; 1 is equal, below 1 is worse. */
export const ratioOf = ({ better, ours, peer }: Comparison): number | undefined =>
  peer && (better === 'more' ? ours / peer.value : peer.value / ours)

/** Whether the target is met; undefined without one. */
export function isMet(comparison: Comparison): boolean | undefined {
  const { target, better, ours } = comparison
  if (target === undefined) return undefined
  if ('ratio' in target) return (ratioOf(comparison) ?? 0) >= target.ratio
  return better === 'more' ? ours >= target.value : ours <= target.value
}
