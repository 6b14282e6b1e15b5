import { readFileSync } from 'node:fs'
import { processTree } from './process-tree.ts'

const TICKS_PER_SECOND = 100

interface Process {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
  /** Of children that have ended and were waited for. */
  readonly childTicks: number
}

/** Fields after the name, which may contain spaces: state, parent, …; 12th to 15th are the times. @source proc(5) */
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
 * The CPU time that a process and its descendants have used so far, in milliseconds, read from /proc in steps of 10 ms.
 * Ended children count with their parents.
 */
export function cpuTimeMs(root: number): number {
  const ticks = processTree(root, readProcess).reduce((sum, one) => sum + one.ticks + one.childTicks, 0)
  return (ticks * 1_000) / TICKS_PER_SECOND
}
