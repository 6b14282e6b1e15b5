/** One of our versions: MAJOR.MINOR.PATCH, with the suffixes that SemVer allows. */
const VERSION = /^(\d+)\.(\d+)\.\d+(?:[-+].*)?$/

/**
 * Whether processes of two versions may serve together: within one major, minors at most one apart; and the first minor
 * of a major with every version of the previous major, whose last one its notes name (docs/upgrading.md). A version
 * that cannot be parsed runs only with itself.
 */
export function runsBeside(one: string, other: string): boolean {
  if (one === other) return true
  const [a, b] = [VERSION.exec(one), VERSION.exec(other)]
  if (!a || !b) return false
  const [older, newer] = [a, b]
    .map(([, major, minor]) => ({ major: Number(major), minor: Number(minor) }))
    .toSorted((x, y) => x.major - y.major || x.minor - y.minor) as [Release, Release]
  if (older.major === newer.major) return newer.minor - older.minor <= 1
  return newer.major - older.major === 1 && newer.minor === 0
}

interface Release {
  readonly major: number
  readonly minor: number
}

/** Thrown by a migration step when it would break processes that are connected. */
export class RunsBesideOthers extends Error {
  /** @param ours the version of the step; @param others connected versions that are too far from it */
  constructor(ours: string, others: readonly string[]) {
    super(
      `Processes of ${others.join(', ')} are connected to Postgres, and ${ours} does not run beside them: stop them, or install the version between (docs/upgrading.md). Nothing was changed.`,
    )
  }
}
