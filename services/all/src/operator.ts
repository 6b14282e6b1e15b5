import { commandLine, misunderstood } from '@callboard/runtime/command-line'
import type { Options } from './operate.ts'

const USAGE = `usage: npm run operator -- look SLUG
       npm run operator -- verify SLUG SEEN --checked ITEM,… [--note TEXT]
       npm run operator -- reject SLUG --reason TEXT
       npm run operator -- suspend SLUG --reason TEXT
       npm run operator -- reopen SLUG
       npm run operator -- why SLUG [QUERY]
       npm run operator -- audit [SUBJECT] [--limit N]
       npm run operator -- sources list
       npm run operator -- sources add NAME KIND URL [EVERY_HOURS] [FILTER=VALUE …]
       npm run operator -- sources remove NAME
       npm run operator -- sources run NAME
       npm run operator -- mirror look SLUG
       npm run operator -- mirror approve SLUG SEEN
       npm run operator -- mirror suspend SLUG --reason TEXT
       npm run operator -- mirror reopen SLUG
       npm run operator -- posting look ID
       npm run operator -- posting take-down ID --reason TEXT
       npm run operator -- dead-letters list
       npm run operator -- dead-letters show SERVICE EVENT_ID
       npm run operator -- dead-letters replay SERVICE EVENT_ID
       npm run operator -- dead-letters discard SERVICE EVENT_ID --reason TEXT
       npm run operator -- payment HASH|KEY
       npm run operator -- models list
       npm run operator -- models check [--call]
       npm run operator -- router why KEY TIME [USD]
       npm run operator -- certificate NETWORK FROM TO
       npm run operator -- certificate check FILE [DIGEST]
       npm run operator -- reports list
       npm run operator -- reconcile [--look] [--restored-to TIME]
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
  --call     for models check: asks every model for one token at each of its upstreams, which costs money`

/** Which verbs take which option. */
const TAKEN_BY: Readonly<Record<Exclude<keyof Options, 'by'>, readonly string[]>> = {
  call: ['models check'],
  checked: ['verify'],
  note: ['verify', 'reject', 'suspend', 'reopen'],
  reason: ['reject', 'suspend', 'mirror suspend', 'posting take-down', 'dead-letters discard'],
  limit: ['audit'],
  look: ['reconcile'],
  'restored-to': ['reconcile'],
}

/** Ends the process if an option does not belong to the verb. */
function refuseStray([verb, first]: readonly string[], options: Options): void {
  for (const [option, verbs] of Object.entries(TAKEN_BY)) {
    if (options[option as keyof typeof TAKEN_BY] === undefined || verbs.includes(verb ?? '')) continue
    if (!verbs.includes(`${verb} ${first}`))
      misunderstood(`--${option} is an option only of ${verbs.join(', ')}.`, USAGE)
  }
}

function readOptions(given: string[]) {
  return commandLine(given, {
    usage: USAGE,
    options: {
      ...{ by: { type: 'string' }, call: { type: 'boolean' }, checked: { type: 'string' }, note: { type: 'string' } },
      ...{ reason: { type: 'string' }, limit: { type: 'string' } },
      ...{ look: { type: 'boolean' }, 'restored-to': { type: 'string' } },
    },
    words: true,
  })
}

const { values, positionals } = readOptions(process.argv.slice(2))
refuseStray(positionals, values)
// The services are imported only now, so that command-line errors are reported at once.
const { operate } = await import('./operate.ts')
process.exitCode = await operate(positionals, values, USAGE).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
