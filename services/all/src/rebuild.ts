import { commandLine, failureText } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run rebuild -- catalog [--by NAME]
  Makes a projection again from the event logs, while the instance of the data folder (CALLBOARD_DATA) runs. For its readers,
  only the rows that were wrong change, and all of them at once. The database user must be allowed to create a schema.
  --by  who makes it, as it is recorded: otherwise OPERATOR_NAME, or the user who runs the command`

const options = { by: { type: 'string' } } as const
const { positionals, values } = commandLine(process.argv.slice(2), { usage: USAGE, options, words: true })
// The services are imported only now, so that command-line errors are reported at once.
const { rebuild } = await import('./verbs/rebuild.ts')
process.exitCode = await rebuild(positionals, values.by, USAGE).catch((error: unknown) => {
  console.error(failureText(error))
  return 1
})
