import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { Usage } from '../exit-codes.ts'

/** The contents of a JSON file. @throws Usage */
export function jsonIn(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new Usage(`${file} is not JSON`)
  }
}

/** The first thing that is wrong with a file's contents. */
export function issueOf(file: string, { issues: [issue] }: z.ZodError): Usage {
  const at = issue?.path.join('.')
  return new Usage(`${file}: ${at ? `${at}: ` : ''}${issue?.message}`)
}
