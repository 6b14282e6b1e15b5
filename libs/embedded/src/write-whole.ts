import { renameSync, type WriteFileOptions, writeFileSync } from 'node:fs'

/** Writes a file that is always complete: a reader, a full disk or a kill finds what was there, or all of the new. */
export function writeWhole(file: string, data: string | Uint8Array, options: WriteFileOptions = {}): void {
  writeFileSync(`${file}.new`, data, options)
  renameSync(`${file}.new`, file)
}
