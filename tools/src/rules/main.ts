import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '@callboard/runtime/command-line'
import { ROOT } from '../generated-files.ts'
import { importGraph, trackedFiles } from '../source-files.ts'
import { findings } from './rules.ts'

const USAGE = `usage: npm run rules [-- --help]
  Reports import cycles, domains that import what is beside them, folders of more than 20 sources whose README does not say why, and
  retired words, with the standard word for each.`

commandLine(process.argv.slice(2), { usage: USAGE })
const paths = trackedFiles()
const found = findings({ paths, graph: importGraph(paths), read: (path) => readFileSync(join(ROOT, path), 'utf8') })
for (const { says } of found) console.error(says)
if (found.length > 0) process.exitCode = 1
