/** One quantity of ours beside a peer's, both measured in this run on this machine. */
export interface Comparison {
  /** What was measured, e.g. "one word, whole route, p95". */
  readonly what: string
  readonly unit: string
  readonly better: 'more' | 'less'
  readonly ours: number
  /** Absent where nothing comparable exists; then only the target speaks. */
  readonly peer?: { readonly name: string; readonly value: number }
  /** What we want: at least this ratio to the peer, or this value at the worst. */
  readonly target?: { readonly ratio: number } | { readonly value: number }
}

/** Counts that are no comparison, such as what one request causes. */
export interface Table {
  readonly title: string
  /** Of the values; what a row is about stands before them. */
  readonly columns: readonly string[]
  /** What could not be measured is null; the notes say why. */
  readonly rows: readonly (readonly [string, ...(number | null)[]])[]
}

/** What a figure's run found. */
export interface Findings {
  readonly comparisons: readonly Comparison[]
  readonly tables?: readonly Table[]
  /** Sentences that a reader needs beside the numbers: causes of misses, what was left out. */
  readonly notes?: readonly string[]
  /** Names and versions of what took part besides ours, e.g. `{ ponder: "0.16.10" }`. */
  readonly versions?: Readonly<Record<string, string>>
}

/** What a run is asked to do differently. What it finds then is shown and not kept. */
export interface RunOptions {
  /** How many payments a load is made of. */
  readonly payments?: number
  /** To list what one request does, and measure nothing. */
  readonly trace?: boolean
  /** To measure as briefly as shows that everything runs. */
  readonly brief?: boolean
}

/** A program that measures one thing. Its file is `figures/<name>.ts`, and exports it as `figure`. */
export interface Figure {
  readonly title: string
  /** How it is measured, in two or three sentences: load, duration, what counts. */
  readonly method: string
  readonly run: (options: RunOptions) => Promise<Findings>
}

/** How many times better than the peer ours is; 1 is the same, below 1 is worse. */
export const ratioOf = ({ better, ours, peer }: Comparison): number | undefined =>
  peer && (better === 'more' ? ours / peer.value : peer.value / ours)

/** Whether the target is met; undefined without one. */
export function isMet(comparison: Comparison): boolean | undefined {
  const { target, better, ours } = comparison
  if (target === undefined) return undefined
  if ('ratio' in target) return (ratioOf(comparison) ?? 0) >= target.ratio
  return better === 'more' ? ours >= target.value : ours <= target.value
}
