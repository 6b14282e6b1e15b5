import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '@callboard/runtime/command-line'
import { ROOT } from '../generated-files.ts'
import { importGraph, trackedFiles } from '../source-files.ts'
import { disagreements } from './declared-packages.ts'
import { findings } from './rules.ts'

const USAGE = `usage: npm run rules [-- --help]
  Reports import cycles, domains that import what is beside them, folders of more than 20 sources whose README does not say why,
  retired words, with the standard word for each, and packages that a workspace imports and does not declare, or the reverse.`

commandLine(process.argv.slice(2), { usage: USAGE })
const paths = trackedFiles()
const found = findings({ paths, graph: importGraph(paths), read: (path) => readFileSync(join(ROOT, path), 'utf8') })
for (const { says } of found) console.error(says)
const differing = disagreements()
for (const { workspace, undeclared, unused } of differing) {
  for (const name of undeclared) console.error(`${workspace} imports ${name}, which its package.json does not declare`)
  for (const name of unused) console.error(`${workspace}/package.json declares ${name}, which none of its files names`)
}
if (found.length + differing.length > 0) process.exitCode = 1
