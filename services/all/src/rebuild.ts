import { commandLine } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run rebuild -- catalog
  Makes a projection again from the event logs, while the instance of the data folder (CALLBOARD_DATA) runs. Its readers see the
  rows that were wrong change at once, and nothing else. The user of the database must be one who may create a schema.`

const { positionals } = commandLine(process.argv.slice(2), { usage: USAGE, words: true })
// The services are imported only now, so that command-line errors are reported at once.
const { rebuild } = await import('./verbs/rebuild.ts')
process.exitCode = await rebuild(positionals, USAGE).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
