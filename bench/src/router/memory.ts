import { readFileSync } from 'node:fs'
import { processTree } from '../process-tree.ts'
import type { Gateway } from './gateway.ts'

const KIB_PER_MIB = 1_024

/** @source proc(5): `VmRSS` and `PPid` of a process's status */
function read(pid: number): { pid: number; parent: number; mib: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return { pid, parent: field('PPid'), mib: field('VmRSS') / KIB_PER_MIB }
  } catch {
    return undefined
  }
}

/** Resident memory of a gateway's processes and their descendants, in MiB. */
export const memoryOf = ({ processes }: Gateway, ...names: readonly string[]): number =>
  Object.entries(processes)
    .filter(([name]) => names.length === 0 || names.includes(name))
    .flatMap(([, pids]) => pids.flatMap((pid) => processTree(pid, read)))
    .reduce((sum, { mib }) => sum + mib, 0)
