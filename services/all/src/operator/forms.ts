import type { servicesBeside } from '../services-beside.ts'
import type { Verdict } from '../verbs/review.ts'
import type { Form, Given } from './form.ts'
import { isHeight, momentOf, settingsOf } from './readings.ts'

const MOST_ACTIONS = 50

/** Imported with its first use, like each verb: errors of the command line are reported at once. */
const beside: typeof servicesBeside = async (...asked) =>
  (await import('../services-beside.ts')).servicesBeside(...asked)
const verbs = {
  audit: () => import('../verbs/audit.ts'),
  certificate: () => import('../verbs/certificate.ts'),
  deadLetters: () => import('../verbs/dead-letters.ts'),
  mirror: () => import('../verbs/mirror.ts'),
  payment: () => import('../verbs/payment.ts'),
  posting: () => import('../verbs/posting.ts'),
  reconcile: () => import('../verbs/reconcile.ts'),
  review: () => import('../verbs/review.ts'),
  routerModels: () => import('../verbs/router-models.ts'),
  routerWhy: () => import('../verbs/router-why.ts'),
  supportReports: () => import('../verbs/support-reports.ts'),
  waiting: () => import('../verbs/waiting.ts'),
  why: () => import('../verbs/why.ts'),
}

const listing = (verdict: Verdict, words: string, options?: string): Form => ({
  words: `${verdict} ${words}`,
  options,
  run: ([slug = '', seen], { by, options: { checked, note, reason } }) =>
    beside(['listings'], async (running) =>
      (await verbs.review()).review(running, slug, verdict, { by, seen, checked, note, reason }),
    ),
})

const source = (action: 'remove' | 'run'): Form => ({
  words: `sources ${action} NAME`,
  run: ([name = ''], { by }) =>
    beside(['listings'], async (running) => (await verbs.mirror()).printSources(running, { action, name, by })),
})

const mirrored = (verdict: 'look' | 'approve' | 'suspend' | 'reopen', words: string, options?: string): Form => ({
  words: `mirror ${verdict} ${words}`,
  options,
  run: ([slug = '', seen], { by, options: { reason } }) =>
    beside(['listings'], async (running) =>
      (await verbs.mirror()).printMirrored(running, { slug, verdict, seen, by, reason }),
    ),
})

const deadLetter = (verb: 'show' | 'replay' | 'discard', options?: string): Form => ({
  words: `dead-letters ${verb} SERVICE EVENT_ID`,
  options,
  async run([service = '', eventId = ''], { env, by, refuse, options: { reason } }) {
    const { addressedTo, discard, replay, show } = await verbs.deadLetters()
    const addressed =
      (await addressedTo(service, eventId, by)) ?? refuse(`${service} is not a service that has consumers.`)
    if (verb === 'discard') return discard(env, addressed, reason)
    return verb === 'show' ? show(env, addressed) : replay(env, addressed)
  },
})

const models = (verb: 'list' | 'check', options?: string): Form => ({
  words: `models ${verb}`,
  options,
  run: async (_, { env, options: { call } }) =>
    (await verbs.routerModels()).printModels(env, { verb, call: call === true }),
})

/** What the operator's command line takes. A form comes before those that its words fit as well. */
export const FORMS: readonly Form[] = [
  {
    words: 'waiting',
    run: () => beside(['listings'], async (running) => (await verbs.waiting()).printWaiting(running)),
  },
  listing('look', 'SLUG'),
  listing('verify', 'SLUG SEEN', '--checked ITEM,… [--note TEXT]'),
  listing('reject', 'SLUG', '--reason TEXT [--note TEXT]'),
  listing('suspend', 'SLUG', '--reason TEXT [--note TEXT]'),
  listing('reopen', 'SLUG', '[--note TEXT]'),
  {
    words: 'why SLUG [QUERY]',
    run: ([slug = '', query]) =>
      beside(['catalog', 'liveness-prober', 'listings'], async (running) =>
        (await verbs.why()).printWhyListing(running, slug, query),
      ),
  },
  {
    words: 'audit [SUBJECT]',
    options: '[--limit N]',
    async run([subject], { env, refuse, options }) {
      const limit = Number(options.limit ?? MOST_ACTIONS)
      if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) return refuse('--limit must be from 1 to 10000.')
      return (await verbs.audit()).printAudit(env, { subject, limit })
    },
  },
  {
    words: 'sources list',
    run: () =>
      beside(['listings'], async (running) => (await verbs.mirror()).printSources(running, { action: 'list' })),
  },
  {
    words: 'sources add NAME KIND URL [EVERY_HOURS] [FILTER=VALUE …]',
    run([name = '', kind = '', url = '', ...more], { by, refuse }) {
      const settings = settingsOf(more) ?? refuse(`${more.join(' ')}: besides the hours, each word is FILTER=VALUE.`)
      return beside(['listings'], async (running) =>
        (await verbs.mirror()).addSource(running, { name, kind, url, ...settings }, by),
      )
    },
  },
  source('remove'),
  source('run'),
  mirrored('look', 'SLUG'),
  mirrored('approve', 'SLUG SEEN'),
  mirrored('suspend', 'SLUG', '--reason TEXT'),
  mirrored('reopen', 'SLUG'),
  {
    words: 'posting look ID',
    run: ([id = '']) =>
      beside(['listings'], async (running) => (await verbs.posting()).reviewPosting(running, { verdict: 'look', id })),
  },
  {
    words: 'posting take-down ID',
    options: '--reason TEXT',
    run: ([id = ''], { by, options: { reason } }) =>
      beside(['listings'], async (running) =>
        (await verbs.posting()).reviewPosting(running, { verdict: 'take_down', id, reason, by }),
      ),
  },
  { words: 'dead-letters list', run: async (_, { env }) => (await verbs.deadLetters()).list(env) },
  deadLetter('show'),
  deadLetter('replay'),
  deadLetter('discard', '--reason TEXT'),
  { words: 'payment HASH|KEY', run: async ([asked = ''], { env }) => (await verbs.payment()).printPayment(env, asked) },
  models('list'),
  models('check', '[--call]'),
  {
    words: 'router why KEY TIME [USD]',
    run: ([key = '', time = '', usd]) =>
      beside(['router'], async (running) => (await verbs.routerWhy()).printWhy(running, key, time, usd)),
  },
  {
    words: 'certificate check FILE [DIGEST]',
    run: async ([file = '', digest]) => (await verbs.certificate()).checkCertificate(file, digest),
  },
  { words: 'certificate NETWORK FROM TO', run: certificate },
  {
    words: 'reports list',
    run: () => beside(['catalog'], async (running) => (await verbs.supportReports()).printReports(running)),
  },
  { words: 'reconcile', options: '[--look] [--restored-to TIME]', run: reconcile },
]

function certificate([network = '', from = '', to = '']: readonly string[], { refuse }: Given): Promise<number> {
  if (!isHeight(from) || !isHeight(to)) return refuse('FROM and TO must be numbers of blocks.')
  if (Number(to) < Number(from)) return refuse(`There are no blocks from ${from} to ${to}.`)
  return beside(['chain-indexer'], async (running) =>
    (await verbs.certificate()).printCertificate(running, network, Number(from), Number(to)),
  )
}

async function reconcile(_: readonly string[], { by, env, refuse, options }: Given): Promise<number> {
  const to = options['restored-to'] === undefined ? undefined : momentOf(options['restored-to'])
  if (to && !(to.getTime() <= Date.now()))
    return refuse('--restored-to must be a time in the past, with its offset: 2026-11-24T18:00:00Z.')
  const [{ serviceNames }, { instanceEnv }] = await Promise.all([import('../services.ts'), import('../beside.ts')])
  const asked = { by, dryRun: options.look === true, to, env: instanceEnv(env) }
  return beside(
    serviceNames,
    async (running, modules) => (await verbs.reconcile()).reconcile(running, modules, asked),
    { servesNothing: true },
  )
}
