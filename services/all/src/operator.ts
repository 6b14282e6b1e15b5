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
  Works beside the instance of the data folder (CALLBOARD_DATA), or on DATABASE_URL; models on the file of ROUTER_MODELS.
  KIND is facilitator, openapi, well-known or api-catalog; FILTER of a facilitator is type, network, scheme, asset, payTo or extensions
  certificate prints that every block of a range was read, and check looks at such a file without network or data
  What changes something is written down with who did it: OPERATOR_NAME, or the user who runs the command.
  SEEN names what was looked at; look prints it, and nothing else is verified or approved
  --checked  the items of the checklist that you answer for; look SLUG prints them
  --reason   what the owner of the listing reads; of dead-letters discard, what is kept beside the event
  --note     is kept with the verdict
  --look     of reconcile: says what it would do, and does nothing
  --restored-to  the moment to which all of Postgres was restored, where no process noticed it; 2026-11-24T18:00:00Z
  --limit    of audit: at most so many, 50 if it is not given
  --call     asks every model for one token at each of its upstreams, which costs`

/** Which verbs take which option. */
const TAKEN_BY: Readonly<Record<keyof Options, readonly string[]>> = {
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
    if (options[option as keyof Options] === undefined || verbs.includes(verb ?? '')) continue
    if (!verbs.includes(`${verb} ${first}`)) misunderstood(`--${option} is an option of ${verbs.join(', ')}.`, USAGE)
  }
}

function readOptions(given: string[]) {
  return commandLine(given, {
    usage: USAGE,
    options: {
      ...{ call: { type: 'boolean' }, checked: { type: 'string' }, note: { type: 'string' } },
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
