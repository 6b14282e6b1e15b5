import { readFile, writeFile } from 'node:fs/promises'
import { isProgram } from '@callboard/runtime/command-line'

const OUTPUT = new URL('../../libs/values/src/confusables.generated.ts', import.meta.url)

const codePoint = (hex: string): string => String.fromCodePoint(Number.parseInt(hex, 16))
const hexOf = (text: string): string => [...text].map((one) => (one.codePointAt(0) ?? 0).toString(16)).join('+')

/**
 * The table of confusable characters of UTS 39 as a TypeScript file: one line for each prototype, with its look-alikes.
 * @param tables `src/tables.rs` of the crate `unicode-security`, which its own script makes from Unicode's
 *   confusables.txt
 */
export function confusablesFile(tables: string): string {
  const version = /UNICODE_VERSION[^=]*= \((\d+), (\d+), (\d+)\)/.exec(tables)?.slice(1).join('.')
  const table = /const CONFUSABLES[^=]*= &\[(.*?)\n\s*\];/s.exec(tables)?.[1]
  if (!version || !table) throw new Error('This is not the tables.rs of unicode-security')
  const bySource = [...table.matchAll(/\('\\u\{(\w+)\}',\s*&\[(.*?)\]\)/gs)].map(([, source = '', prototype = '']) => ({
    source: codePoint(source),
    prototype: [...prototype.matchAll(/\\u\{(\w+)\}/g)].map(([, hex = '']) => codePoint(hex)).join(''),
  }))
  const lines = [...Map.groupBy(bySource, ({ prototype }) => prototype)].map(
    ([prototype, alike]) => `${hexOf(prototype)} ${alike.map(({ source }) => hexOf(source)).join(' ')}`,
  )
  return [
    '// Made by tools/src/confusables.ts from the crate unicode-security, whose table is Unicode’s confusables.txt (UTS 39).',
    '// © Unicode, Inc. Unicode License v3, https://www.unicode.org/license.txt. Do not edit.',
    '',
    `export const CONFUSABLES_UNICODE_VERSION = '${version}'`,
    '',
    '/** A line: the code points of a prototype, joined by +, then the characters that look like it. */',
    `export const CONFUSABLES = \`\n${lines.join('\n')}\n\``,
    '',
  ].join('\n')
}

if (isProgram(import.meta, process.argv)) {
  const tables = process.argv[2]
  if (!tables) throw new Error('Name the tables.rs of the crate unicode-security')
  await writeFile(OUTPUT, confusablesFile(await readFile(tables, 'utf8')))
}
