import { readFile, rename, writeFile } from 'node:fs/promises'

/** How the first line of each file that a demonstration writes begins. */
const HEADS = ['# Written by the demonstration', '# The demonstration is over']

/**
 * The text of a file of the instance that the demonstration may write: there is none, or a demonstration wrote it.
 * @returns undefined for a file of the operator's own
 */
export async function ownText(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  return text.trim() === '' || HEADS.some((head) => text.startsWith(head)) ? text : undefined
}

/** Atomic: no reader sees half of it. */
export async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}
