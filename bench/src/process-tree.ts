import { readdirSync } from 'node:fs'

/**
 * Reads a process and its descendants.
 * @param read one process; undefined where it has ended meanwhile
 */
export function processTree<Process extends { readonly pid: number; readonly parent: number }>(
  root: number,
  read: (pid: number) => Process | undefined,
): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => read(Number(name)) ?? [])
  const tree = new Set([root])
  for (let size = 0; size !== tree.size; ) {
    size = tree.size
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid)
  }
  return all.filter(({ pid }) => tree.has(pid))
}
