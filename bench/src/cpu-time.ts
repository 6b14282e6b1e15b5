import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

interface Process {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
  /** Of children that have ended and were waited for. */
  readonly childTicks: number
}

/** Fields after the name, which may itself hold spaces: state, parent, …; 12th to 15th are the times. @source proc(5) */
function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15)
    return { pid, parent: fields[1] ?? 0, ticks: user + system, childTicks: childUser + childSystem }
  } catch {
    return undefined
  }
}

/**
 * CPU time that a process and all below it have used so far, in milliseconds, read from /proc in steps of 10 ms.
 * Ended children count with their parents.
 */
export function cpuTimeMs(root: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
  const tree = new Set([root])
  for (let size = 0; size !== tree.size; ) {
    size = tree.size
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid)
  }
  const ticks = all.filter(({ pid }) => tree.has(pid)).reduce((sum, one) => sum + one.ticks + one.childTicks, 0)
  return (ticks * 1_000) / TICKS_PER_SECOND
}
