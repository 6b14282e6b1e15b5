import { catalog } from '@callboard/catalog'
import { chainIndexer } from '@callboard/chain-indexer'
import { listings } from '@callboard/listings'
import { livenessProber } from '@callboard/liveness-prober'
import { router } from '@callboard/router'
import { type Running, type ServiceModule, startServices } from '@callboard/runtime'
import { commandLine, misunderstood } from '@callboard/runtime/command-line'
import { instanceEnv } from './beside.ts'
import { modules } from './modules.ts'
import { printAudit } from './verbs/audit.ts'
import { checkCertificate, printCertificate } from './verbs/certificate.ts'
import { deadLettersVerb } from './verbs/dead-letters.ts'
import { mirrorVerb } from './verbs/mirror.ts'
import { operatorName } from './verbs/operator-name.ts'
import { printPayment } from './verbs/payment.ts'
import { postingVerb } from './verbs/posting.ts'
import { reconcile } from './verbs/reconcile.ts'
import { isVerdict, review } from './verbs/review.ts'
import { printModels } from './verbs/router-models.ts'
import { printWhy } from './verbs/router-why.ts'
import { printReports } from './verbs/support-reports.ts'
import { printWhyListing } from './verbs/why.ts'

const USAGE = `usage: npm run operator -- look SLUG
       npm run operator -- verify SLUG [SEEN] --checked ITEM,… [--note TEXT]
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
       npm run operator -- mirror approve SLUG [SEEN]
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
  --checked  the items of the checklist that you answer for; look SLUG prints them
  --reason   what the owner of the listing reads; of dead-letters discard, what is kept beside the event
  --note     is kept with the verdict
  --look     of reconcile: says what it would do, and does nothing
  --restored-to  the moment to which all of Postgres was restored, where no process noticed it; 2026-11-24T18:00:00Z
  --limit    of audit: at most so many, 50 if it is not given
  --call     asks every model for one token at each of its upstreams, which costs`

const MOST_ACTIONS = 50

const withTables = modules.filter(({ migrations }) => migrations)

type Options = Omit<ReturnType<typeof readOptions>['values'], 'help'>

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

/** The operator's verbs. They work on the tables of an instance; what they change reaches the directory as an event. */
async function main(given: readonly string[], options: Options): Promise<number> {
  const [verb, first, second, third, ...more] = given
  for (const [option, verbs] of Object.entries(TAKEN_BY)) {
    if (options[option as keyof Options] === undefined || verbs.includes(verb ?? '')) continue
    if (!verbs.includes(`${verb} ${first}`))
      return misunderstood(`--${option} is an option of ${verbs.join(', ')}.`, USAGE)
  }
  const by = operatorName(process.env)
  if (verb === 'models' && given.length === 2 && (first === 'check' || first === 'list')) {
    return printModels(process.env, { verb: first, call: options.call === true })
  }
  if (isVerdict(verb) && first && third === undefined) {
    return beside([listings], (running) => review(running, first, verb, { by, word: second, ...options }))
  }
  if (verb === 'why' && first && third === undefined) {
    return beside([catalog, livenessProber, listings], (running) => printWhyListing(running, first, second))
  }
  const limit = Number(options.limit ?? MOST_ACTIONS)
  if (verb === 'audit' && second === undefined) {
    if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
      return misunderstood('--limit is from 1 to 10000.', USAGE)
    return printAudit(process.env, { subject: first, limit })
  }
  const said = { by, reason: options.reason }
  const mirror = mirrorVerb(given, said) ?? postingVerb(given, said)
  if (mirror) return beside([listings], mirror)
  const letters = deadLettersVerb(given, { env: process.env, ...said })
  if (letters) return letters()
  if (verb === 'payment' && first && second === undefined) return printPayment(process.env, first)
  if (verb === 'router' && first === 'why' && second && third && more.length <= 1) {
    return beside([router], (running) => printWhy(running, second, third, more[0]))
  }
  if (verb === 'certificate' && first === 'check' && second && more.length === 0) return checkCertificate(second, third)
  if (verb === 'certificate' && first && isHeight(second) && isHeight(third) && more.length === 0) {
    return beside([chainIndexer], (running) => printCertificate(running, first, Number(second), Number(third)))
  }
  if (verb === 'reconcile' && first === undefined) {
    const to = options['restored-to'] === undefined ? undefined : new Date(options['restored-to'])
    if (to && !(to.getTime() <= Date.now())) return misunderstood('--restored-to is a moment of the past.', USAGE)
    const env = instanceEnv(process.env)
    const asked = { by, looks: options.look === true, to, env }
    return beside(withTables, (running) => reconcile(running, withTables, asked), { servesNothing: true })
  }
  if (verb === 'reports' && first === 'list' && given.length === 2) return beside([catalog], printReports)
  return misunderstood(`${given.join(' ') || 'Nothing'} is no verb of the operator.`, USAGE)
}

/** Works beside a running instance: on its tables, with the services' own operations, and with nothing that runs twice. */
async function beside(
  needed: readonly ServiceModule[],
  work: (running: Running) => Promise<number>,
  how: { readonly operationsOnly: true } | { readonly servesNothing: true } = { operationsOnly: true },
): Promise<number> {
  const running = await startServices(needed, { env: instanceEnv(process.env), ...how })
  try {
    return await work(running)
  } finally {
    await running.stop()
  }
}

const isHeight = (text: string | undefined): boolean => text !== undefined && /^\d{1,15}$/.test(text)

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
process.exitCode = await main(positionals, values).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
