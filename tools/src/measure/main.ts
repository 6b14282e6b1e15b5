import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '@callboard/runtime/command-line'
import { ROOT } from '../generated-files.ts'
import { trackedFiles } from '../source-files.ts'
import type { Measured } from './measured.ts'

const USAGE = `usage: npm run measure [-- --earlier COMMIT] [--write] [--help]
  Prints a table of the files, documented exports, long and wide functions, tests, import cycles and full folders of every
  workspace, the pairs of sources that have lines in common, and how many files run for a request. For the last, it starts an
  instance.
  --earlier    also measures that commit and shows its sums next to today's; may be repeated
  --functions  lists the long and wide functions instead: the place, lines, parameters and beginning of each
  --write      also writes the table to docs/measures.md`

const { values } = commandLine(process.argv.slice(2), {
  usage: USAGE,
  options: {
    write: { type: 'boolean' },
    functions: { type: 'boolean' },
    earlier: { type: 'string', multiple: true },
  },
})
// The measuring code is imported only now, so that command-line errors are reported at once.
const [{ filesPerRequest }, { largeFunctions }, { measuredAt, measuredNow, sourcesOf }, { overTime, page, table }] =
  await Promise.all([
    import('./files-per-request.ts'),
    import('./large-functions.ts'),
    import('./measured.ts'),
    import('./page.ts'),
  ])
if (values.functions) {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  for (const line of largeFunctions(sourcesOf(trackedFiles()), read)) console.log(line)
  process.exit(0)
}
const all: readonly Measured[] = [...(values.earlier ?? []).map(measuredAt), measuredNow()]
const { workspaces, duplicates } = all[all.length - 1] as Measured
console.log(table(workspaces))
if (all.length > 1) console.log(`\n${overTime(all).join('\n')}`)
console.log(`\n${duplicates.length} pairs of sources have lines in common`)
for (const pair of duplicates) console.log(`  ${pair.join('  ')}`)
const requests = await filesPerRequest()
console.log('\nfiles of ours that run for a request')
for (const { request, files } of requests) console.log(`  ${String(files).padStart(3)}  ${request}`)
if (values.write) writeFileSync(join(ROOT, 'docs/measures.md'), page(all, requests))
