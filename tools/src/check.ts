import { commandLine } from '@callboard/runtime/command-line'
import { ROOT } from './generated-files.ts'
import { sideBySide } from './side-by-side.ts'
import { hasTurbo, runTurbo } from './turbo.ts'

/** The parts of the check, the longest first. turbo.json lists the inputs of each. */
const PARTS = [
  'types',
  'contracts:check',
  'docs:check',
  'lint',
  'helm:check',
  'monitoring:check',
  'rules',
  'routes',
] as const

const USAGE = `usage: npm run check [-- --force] [--help]
  Runs these parts in parallel, all of them, and names each one that fails:
  ${PARTS.join(', ')}.
  A part that passed on the same files does not run again.
  --force  runs every part`

const { values } = commandLine(process.argv.slice(2), { usage: USAGE, options: { force: { type: 'boolean' } } })
if (hasTurbo()) process.exitCode = await runTurbo(PARTS, { filters: ['//'], force: values.force })
else {
  const failed = await sideBySide(PARTS, ROOT)
  console.log(failed.length === 0 ? `${PARTS.length} parts held.` : `Failed: ${failed.join(', ')}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
