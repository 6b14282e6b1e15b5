import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENCE = /^(licen[cs]e|copying|notice)(\.|$)/i

/** The folder of the package that contains a file, or undefined when the file is of this repository. */
const packageFolderOf = (file: string): string | undefined =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

interface Foreign {
  readonly name: string
  readonly version: string
  readonly license?: string
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Foreign
  const texts = readdirSync(folder).filter((file) => LICENCE.test(file))
  if (!license && texts.length === 0) throw new Error(`${name} says nowhere under which licence it is.`)
  const words = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`## ${name} ${version}: ${license ?? 'see below'}`, ...words].join('\n\n')
}

/**
 * The licences of the packages in a bundle, whose terms require their texts; undefined where it contains only our own
 * code.
 */
export function noticesOf(files: readonly string[]): string | undefined {
  const folders = [...new Set(files.flatMap((file) => packageFolderOf(file) ?? []))].sort()
  if (folders.length === 0) return undefined
  return `# Packages in this one, and their licences\n\n${folders.map(noticeOf).join('\n\n')}\n`
}
