import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** A command in a document. */
export interface Named {
  /** One command, without anything before `&&`, settings and remarks. */
  readonly command: string
  readonly file: string
}

/** Fenced blocks of commands; others show output or code. */
const BLOCK = /^```(\w*)\n([\s\S]*?)^```/gm
const SHELLS = ['', 'sh', 'bash', 'shell', 'console']
const PROGRAM = /^(?:[A-Z_]+=\S+ )*((?:npm|npx|node|docker|helm|kubectl) \S.*)$/

/** The documents with commands to run; decisions and the changelog describe the past. */
const documents = (): string[] =>
  execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => !/(^|\/)adr\/|CHANGELOG/.test(file))

/** Every command in a document, in a block or in a sentence. */
export const commandsInDocuments = (): Named[] =>
  documents().flatMap((file) =>
    commandsIn(readFileSync(join(ROOT, file), 'utf8')).map((command) => ({ command, file })),
  )

export function commandsIn(text: string): string[] {
  const lines: string[] = []
  const prose = text.replace(BLOCK, (_, language: string, body: string) => {
    if (SHELLS.includes(language)) lines.push(...body.replace(/\\\n\s*/g, '').split('\n'))
    return ''
  })
  for (const [, span = ''] of prose.matchAll(/`([^`]+)`/g)) lines.push(span.replace(/\s+/g, ' '))
  const commands = lines.flatMap((line) => line.split('&&')).map((line) => line.replace(/\s#.*$/, '').trim())
  return commands.flatMap((command) => PROGRAM.exec(command)?.[1]?.trimEnd() ?? [])
}
