import { type Running, type ServiceModule, startServices } from '@callboard/runtime'
import { misunderstood } from '@callboard/runtime/command-line'
import { instanceEnv } from './beside.ts'
import { importServices, type ServiceName, serviceNames } from './services.ts'
import { printAudit } from './verbs/audit.ts'
import { deadLettersVerb } from './verbs/dead-letters.ts'
import { mirrorVerb } from './verbs/mirror.ts'
import { operatorName } from './verbs/operator-name.ts'
import { printPayment } from './verbs/payment.ts'
import { postingVerb } from './verbs/posting.ts'
import { isVerdict, review } from './verbs/review.ts'
import { printWhy } from './verbs/router-why.ts'
import { printReports } from './verbs/support-reports.ts'
import { printWhyListing } from './verbs/why.ts'

/** The options of the command line; the caller has checked which verb takes which. */
export interface Options {
  readonly by?: string | undefined
  readonly call?: boolean | undefined
  readonly checked?: string | undefined
  readonly note?: string | undefined
  readonly reason?: string | undefined
  readonly limit?: string | undefined
  readonly look?: boolean | undefined
  readonly 'restored-to'?: string | undefined
}

const MOST_ACTIONS = 50

/**
 * The operator's verbs. They work on the tables of an instance; changes reach the directory as events.
 * @param given the words of the command line
 * @param usage printed with a syntax error
 * @returns the exit code
 */
export async function operate(given: readonly string[], options: Options, usage: string): Promise<number> {
  const [verb, first, second, third, ...more] = given
  const by = operatorName(process.env, options.by, usage)
  if (verb === 'models' && given.length === 2 && (first === 'check' || first === 'list')) {
    const { printModels } = await import('./verbs/router-models.ts')
    return printModels(process.env, { verb: first, call: options.call === true })
  }
  if (isVerdict(verb) && first && third === undefined) {
    return beside(['listings'], (running) => review(running, first, verb, { ...options, by, word: second }))
  }
  if (verb === 'why' && first && third === undefined) {
    return beside(['catalog', 'liveness-prober', 'listings'], (running) => printWhyListing(running, first, second))
  }
  const limit = Number(options.limit ?? MOST_ACTIONS)
  if (verb === 'audit' && second === undefined) {
    if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
      return misunderstood('--limit must be from 1 to 10000.', usage)
    return printAudit(process.env, { subject: first, limit })
  }
  const said = { by, reason: options.reason }
  const mirror = mirrorVerb(given, said) ?? postingVerb(given, said)
  if (mirror) return beside(['listings'], mirror)
  const letters = await deadLettersVerb(given, { env: process.env, ...said })
  if (letters) return letters()
  if (verb === 'payment' && first && second === undefined) return printPayment(process.env, first)
  if (verb === 'router' && first === 'why' && second && third && more.length <= 1) {
    return beside(['router'], (running) => printWhy(running, second, third, more[0]))
  }
  if (verb === 'certificate' && first && second && more.length === 0) {
    const { checkCertificate, printCertificate } = await import('./verbs/certificate.ts')
    if (first === 'check') return checkCertificate(second, third)
    if (isHeight(second) && isHeight(third))
      return beside(['chain-indexer'], (running) => printCertificate(running, first, Number(second), Number(third)))
  }
  if (verb === 'reconcile' && first === undefined) {
    const to = options['restored-to'] === undefined ? undefined : momentOf(options['restored-to'])
    if (to && !(to.getTime() <= Date.now()))
      return misunderstood('--restored-to must be a time in the past, with its offset: 2026-11-24T18:00:00Z.', usage)
    const env = instanceEnv(process.env)
    const asked = { by, dryRun: options.look === true, to, env }
    const { reconcile } = await import('./verbs/reconcile.ts')
    return beside(serviceNames, (running, modules) => reconcile(running, modules, asked), { servesNothing: true })
  }
  if (verb === 'reports' && first === 'list' && given.length === 2) return beside(['catalog'], printReports)
  return misunderstood(`${given.join(' ') || 'Nothing'} is not a verb of the operator.`, usage)
}

/** Works next to a running instance: on its tables, with the services' operations, without what must not run twice. */
async function beside(
  needed: readonly ServiceName[],
  work: (running: Running, modules: readonly ServiceModule[]) => Promise<number>,
  how: { readonly operationsOnly: true } | { readonly servesNothing: true } = { operationsOnly: true },
): Promise<number> {
  const modules = (await importServices(needed)).filter(({ migrations }) => migrations)
  const running = await startServices(modules, { env: instanceEnv(process.env), ...how })
  try {
    return await work(running, modules)
  } finally {
    await running.stop()
  }
}

/** A moment; invalid where its offset is not told: `new Date` would take the machine's, and 5 for a month of 2001. */
const momentOf = (text: string): Date =>
  new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? text : Number.NaN)

const isHeight = (text: string | undefined): boolean => text !== undefined && /^\d{1,15}$/.test(text)
