import { commandLine } from '@callboard/runtime/command-line'
import { changedSince, readersOf, trackedFiles } from './source-files.ts'
import { hasTurbo, runTurbo } from './turbo.ts'

const USAGE = `usage: npm run affected [-- --since REF] [--help]
  Checks the types of everything, and runs lint and unit tests of the workspaces that differ from a commit, of those that
  depend on them, and of those whose unit tests read another file that differs.
  --since REF  the commit to compare with (main)`

const { values } = commandLine(process.argv.slice(2), { usage: USAGE, options: { since: { type: 'string' } } })
if (!hasTurbo()) {
  console.error('turbo has no program for this platform here: use npm run check and npm run test:unit.')
  process.exit(1)
}
const types = await runTurbo(['types'], { filters: ['//'] })
const since = values.since ?? 'main'
// Turbo tells workspaces that changed by their folders. A page belongs to none.
const readers = readersOf(changedSince(since), trackedFiles()).map((workspace) => `./${workspace}`)
// Three dots: the workspaces that changed, and also those that depend on them.
const rest = await runTurbo(['lint', 'test:unit'], { filters: [`...[${since}]`, ...readers, '!//'] })
process.exitCode = types || rest
