import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TreeFile } from './tree-file.ts'

/** Writes files below an empty folder. */
export function writeTree(folder: string, files: readonly TreeFile[]): void {
  for (const file of files) {
    const path = join(folder, file.path)
    mkdirSync(dirname(path), { recursive: true })
    if (file.kind === 'link') symlinkSync(file.target, path)
    else if (file.kind === 'file') writeFileSync(path, file.read(), { mode: file.mode })
    else {
      mkdirSync(path, { recursive: true })
      chmodSync(path, file.mode)
    }
  }
}
