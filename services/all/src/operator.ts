import { catalog } from '@callboard/catalog'
import { chainIndexer } from '@callboard/chain-indexer'
import { anonymous, type InputOf, listings as operations } from '@callboard/contract'
import { listings } from '@callboard/listings'
import { router } from '@callboard/router'
import { type Running, type ServiceModule, startServices } from '@callboard/runtime'
import { commandLine, misunderstood } from '@callboard/runtime/command-line'
import { isRefusal } from '@callboard/values'
import { instanceEnv } from './beside.ts'
import { checkCertificate, printCertificate } from './certificate.ts'
import { listDeadLetters, replayDeadLetter } from './dead-letters.ts'
import { mirrorVerb } from './mirror-verbs.ts'
import { modules } from './modules.ts'
import { postingVerb } from './posting-verbs.ts'
import { printModels } from './router-models.ts'
import { printWhy } from './router-why.ts'
import { printReports } from './support-reports.ts'

const USAGE = `usage: npm run operator -- look SLUG
       npm run operator -- verify SLUG [SEEN]
       npm run operator -- reject SLUG [REASON]
       npm run operator -- reopen SLUG
       npm run operator -- sources list
       npm run operator -- sources add NAME KIND URL [EVERY_HOURS] [FILTER=VALUE …]
       npm run operator -- sources remove NAME
       npm run operator -- sources run NAME
       npm run operator -- mirror look SLUG
       npm run operator -- mirror approve SLUG [SEEN]
       npm run operator -- posting look ID
       npm run operator -- posting take-down ID REASON
       npm run operator -- dead-letters list
       npm run operator -- dead-letters replay SERVICE EVENT_ID
       npm run operator -- models list
       npm run operator -- models check [--call]
       npm run operator -- router why KEY TIME [USD]
       npm run operator -- certificate NETWORK FROM TO
       npm run operator -- certificate check FILE [DIGEST]
       npm run operator -- reports list
  Works beside the instance of the data folder (CALLBOARD_DATA), or on DATABASE_URL; models on the file of ROUTER_MODELS.
  KIND is facilitator, openapi, well-known or api-catalog; FILTER of a facilitator is type, network, scheme, asset, payTo or extensions
  certificate prints that every block of a range was read, and check looks at such a file without network or data
  --call   asks every model for one token at each of its upstreams, which costs`

const consumers = modules.filter((module) => module.consumes.length > 0)

/** The operator's verbs. They work on the tables of an instance; what they change reaches the directory as an event. */
async function main(given: readonly string[], call: boolean): Promise<number> {
  const [verb, first, second, third, ...more] = given
  if (verb === 'models' && given.length === 2 && (first === 'check' || (first === 'list' && !call))) {
    return printModels(process.env, { verb: first, call })
  }
  if (call) return misunderstood('--call is an option of models check.', USAGE)
  if (isVerdict(verb) && first && third === undefined) {
    return beside([listings], (running) => review(running, first, verb, second))
  }
  const mirror = mirrorVerb(given) ?? postingVerb(given)
  if (mirror) return beside([listings], mirror)
  if (verb === 'dead-letters' && first === 'list' && given.length === 2) return beside(consumers, list)
  if (verb === 'router' && first === 'why' && second && third && more.length <= 1) {
    return beside([router], (running) => printWhy(running, second, third, more[0]))
  }
  if (verb === 'certificate' && first === 'check' && second && more.length === 0) return checkCertificate(second, third)
  if (verb === 'certificate' && first && isHeight(second) && isHeight(third) && more.length === 0) {
    return beside([chainIndexer], (running) => printCertificate(running, first, Number(second), Number(third)))
  }
  if (verb === 'reports' && first === 'list' && given.length === 2) return beside([catalog], printReports)
  const module = consumers.find(({ name }) => name === second)
  if (verb === 'dead-letters' && first === 'replay' && module && third && more.length === 0) {
    return beside([module], async (running) => {
      await replayDeadLetter(running, module, third)
      console.log(`${module.name}: ${third} is handled`)
      return 0
    })
  }
  return misunderstood(`${given.join(' ') || 'Nothing'} is no verb of the operator.`, USAGE)
}

/** Works beside a running instance: on its tables, with the services' own operations, and with nothing that runs twice. */
async function beside(needed: readonly ServiceModule[], work: (running: Running) => Promise<number>): Promise<number> {
  const running = await startServices(needed, { env: instanceEnv(process.env), operationsOnly: true })
  try {
    return await work(running)
  } finally {
    await running.stop()
  }
}

const isHeight = (text: string | undefined): boolean => text !== undefined && /^\d{1,15}$/.test(text)

type Verdict = InputOf<typeof operations.review>['verdict']

const isVerdict = (verb: string | undefined): verb is Verdict =>
  verb === 'look' || verb === 'verify' || verb === 'reject' || verb === 'reopen'

/**
 * @param more of `reject`, the reason that its owner reads; of the others what an earlier look named: the verdict is on
 * that, whatever its owner has made of the listing since
 */
async function review(running: Running, slug: string, verdict: Verdict, more?: string) {
  const meta = { caller: anonymous, requestId: `operator-${process.pid}`, timeoutMs: 10_000 }
  const answer = await running.bus.call(
    operations.review,
    { slug, verdict, ...(verdict === 'reject' ? { reason: more } : { seen: more }) },
    meta,
  )
  if (isRefusal(answer)) {
    console.error(`${slug}: ${answer.refusal}${answer.message ? `. ${answer.message}` : ''}`)
    return 1
  }
  if (verdict === 'look') {
    const { name, description, payoutWallet, payTo, operations } = answer.facts
    console.log([name, description, `payout wallet ${payoutWallet}, paid at ${payTo}`].join('\n'))
    for (const { method, url, name } of operations) console.log(`${method} ${url} ${name}`)
    console.log(`to verify just this: npm run operator -- verify ${slug} ${answer.seen}`)
  }
  console.log(`${answer.slug}: status ${answer.status}, verification ${answer.verification}`)
  return 0
}

async function list(running: Running): Promise<number> {
  const letters = await listDeadLetters(running, consumers)
  for (const { service, eventId, name, reason, attempts, diedAt } of letters) {
    console.log(`${service} ${eventId} ${name} ${diedAt.toISOString()} after ${attempts} attempts: ${reason}`)
  }
  console.log(`${letters.length} kept`)
  return 0
}

const { values, positionals } = commandLine(process.argv.slice(2), {
  usage: USAGE,
  options: { call: { type: 'boolean' } },
  words: true,
})
process.exitCode = await main(positionals, values.call === true).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
