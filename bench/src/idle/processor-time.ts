import { readdirSync, readFileSync } from 'node:fs'
import { processTree } from '../process-tree.ts'

/** One process of an instance, and the processor time that its threads have used. */
export interface Used {
  readonly pid: number
  readonly parent: number
  readonly command: string
  readonly ms: number
}

/** @source proc(5): the first number of a thread's `schedstat` is its time on a processor, in nanoseconds */
const threadMs = (pid: number, thread: string): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6

function read(pid: number): Used | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    const ms = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadMs(pid, thread), 0)
    return { pid, parent, command, ms }
  } catch {
    return undefined
  }
}

/** A process and its descendants, each with its own time: finer than `/proc/<pid>/stat`'s 10 ms, without ended ones. */
export const processesOf = (root: number): Used[] => processTree(root, read)
