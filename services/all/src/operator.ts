import { commandLine, failureText, misunderstood } from '@callboard/runtime/command-line'
import { ownWords, strayOption, usageOf } from './operator/form.ts'
import { FORMS } from './operator/forms.ts'

const USAGE = `${usageOf(FORMS)}
  Works next to the instance of the data folder (CALLBOARD_DATA), or on DATABASE_URL. The models verbs work on the file of
  ROUTER_MODELS.
  KIND is facilitator, openapi, well-known or api-catalog. FILTER, for a facilitator, is type, network, scheme, asset, payTo or
  extensions.
  certificate prints that every block of a range was read. certificate check checks such a file, without network or data.
  Every change is recorded with who made it: --by NAME, OPERATOR_NAME, or the user who runs the command.
  SEEN identifies the version that you looked at. look prints it, and only that version is verified or approved.
  --by       who makes the change, with any verb. In a pod, where the user of the command has no name, say it
  --checked  the items of the checklist that you answer for, as look SLUG prints them
  --reason   what the owner of the listing reads. For dead-letters discard, it is kept with the event
  --note     is kept with the verdict
  --look     for reconcile: prints what it would do, and does nothing
  --restored-to  for reconcile: the moment to which all of Postgres was restored, if no process noticed it; 2026-11-24T18:00:00Z
  --limit    for audit: the maximum number of entries (50)
  --call     for models check: asks every model for one token at each of its upstreams, which costs money
exit codes: 0 done, 1 refused, failed or not found, 2 command line not understood`

/** Parses the command line, and runs the form that it fits. @returns the exit code */
async function operate(given: string[]): Promise<number> {
  const { values: options, positionals } = commandLine(given, {
    usage: USAGE,
    options: {
      ...{ by: { type: 'string' }, call: { type: 'boolean' }, checked: { type: 'string' }, note: { type: 'string' } },
      ...{ reason: { type: 'string' }, limit: { type: 'string' } },
      ...{ look: { type: 'boolean' }, 'restored-to': { type: 'string' } },
    },
    words: true,
  })
  const refuse = (reason: string) => misunderstood(reason, USAGE)
  for (const form of FORMS) {
    const own = ownWords(form, positionals)
    if (!own) continue
    const stray = strayOption(form, options, FORMS)
    if (stray) return refuse(`--${stray.name} is an option only of ${stray.verbs.join(', ')}.`)
    // Imported only now, with the contract that says what a name is: errors of the command line are reported at once.
    const { operatorName } = await import('./operator/name.ts')
    return form.run(own, { options, by: operatorName(process.env, options.by, USAGE), env: process.env, refuse })
  }
  return refuse(`${positionals.join(' ') || 'Nothing'} is not a verb of the operator.`)
}

process.exitCode = await operate(process.argv.slice(2)).catch((error: unknown) => {
  console.error(failureText(error))
  return 1
})
