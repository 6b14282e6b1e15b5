/** A version of ours: MAJOR.MINOR.PATCH, with what SemVer lets follow. */
const VERSION = /^(\d+)\.(\d+)\.\d+(?:[-+].*)?$/

/**
 * Whether processes of two versions may serve together: of one major, minors at most one apart; and of the first minor of
 * a major, with all of the major before, whose last one its notes name (docs/upgrading.md). A version that cannot be read
 * runs beside itself alone.
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

/** Thrown by a migration step beside processes that it would leave behind. */
export class RunsBesideOthers extends Error {
  /** @param ours the version of the step; @param others versions that are connected and too far from it */
  constructor(ours: string, others: readonly string[]) {
    super(
      `Processes of ${others.join(', ')} are connected to Postgres, and ${ours} does not run beside them: stop them, or install the version between (docs/upgrading.md). Nothing was changed.`,
    )
  }
}
