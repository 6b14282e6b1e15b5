import { isDeepStrictEqual } from 'node:util'
import {
  type AskedPrice,
  creditOf,
  type EventDeclaration,
  type EventEnvelope,
  eventName,
  identityChanged,
  identityReverted,
  listingChanged,
  listingRemoved,
  paymentSettled,
  postingChanged,
  probeCompleted,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { listings } from '@callboard/listings'
import { livenessProber } from '@callboard/liveness-prober'
import { handleBatch, handleOnce, type Recurring } from '@callboard/runtime'
import { deleteSuperseded } from '@callboard/store'
import { runOnce } from '@callboard/testkit'
import { type Address, type Caip2, DAY_MS, HOUR_MS, isoTime } from '@callboard/values'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CatalogContext } from '../src/context.ts'
import { catalog as module, projectionTables } from '../src/index.ts'
import { claimantsOf, claimsOf } from '../src/store/claim.repository.ts'
import { payeeName } from '../src/store/locks.ts'
import { settleAll } from '../src/truth/meter.ts'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, hash, operation, posting, probe, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())

interface Fact {
  readonly event: EventDeclaration
  readonly data: unknown
}

const slugs = ['a', 'b', 'c']
const slug = fc.constantFrom(...slugs)
const payee = fc.integer({ min: 1, max: 3 })

/** A listing's next snapshot or its removal; versions are assigned when the history is written. */
const listingFact = fc.record({
  kind: fc.constantFrom('changed', 'changed', 'changed', 'removed'),
  slug,
  payees: fc.uniqueArray(payee, { maxLength: 2 }),
  status: fc.constantFrom('draft', 'live', 'live', 'suspended'),
  group: fc.constantFrom('svc', 'added', 'partner', 'external'),
  endpoints: fc.integer({ min: 0, max: 2 }),
  price: fc.constantFrom('0.01', '0.02'),
  schema: fc.option(fc.constantFrom('object', 'array'), { nil: undefined }),
  hour: fc.integer({ min: 0, max: 5 }),
})

const probeFact = fc.record({
  slug,
  endpoint: fc.integer({ min: 0, max: 2 }),
  hour: fc.integer({ min: 0, max: 3 }),
  state: fc.constantFrom('ok_402', 'mpp', 'timeout'),
  offers: fc.boolean(),
  uptime7d: fc.constantFrom(0, 0.5, 1),
})

const settlementFact = fc.record({
  kind: fc.constantFrom('observed', 'observed', 'reverted'),
  number: fc.integer({ min: 1, max: 4 }),
  block: fc.integer({ min: 1, max: 3 }),
  amount: fc.constantFrom('10000', '20000', '30000', '0'),
  payee,
})

/** The resource named by the payment of such a settlement: an endpoint of a listing, or nothing. */
const paymentFact = fc.record({
  number: fc.integer({ min: 1, max: 4 }),
  payee,
  names: fc.option(slug),
  foreign: fc.boolean(),
})

/** The next version of a posting. */
const postingFact = fc.record({
  posted: fc.integer({ min: 1, max: 2 }),
  status: fc.constantFrom('open', 'open', 'closed', 'taken_down'),
  hour: fc.integer({ min: -3, max: 3 }),
})

/** An entry of a registry's log; the agent that it concerns may change with its block. */
const identityFact = fc.record({
  reverts: fc.boolean(),
  log: fc.integer({ min: 1, max: 4 }),
  agentId: fc.integer({ min: 0, max: 1 }),
  block: fc.integer({ min: 1, max: 3 }),
  change: fc.constantFrom('registered', 'transferred', 'wallet_set', 'feedback_given', 'feedback_revoked'),
  account: payee,
})

/** A nonce of this payee's own: an authorization pays one payee, and a settlement is of what was authorized. */
const nonceOf = (one: { readonly number: number; readonly payee: number }) =>
  hash(200_000 + 10 * one.number + one.payee)

const url = (slug: string, endpoint: number) => `https://${slug}.example/${endpoint}`

/** Histories in the order in which their sources wrote them: versions rise, anything else may happen. */
const history = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: listingFact },
      probeFact,
      paymentFact,
      postingFact,
      { weight: 2, arbitrary: identityFact },
      { weight: 3, arbitrary: settlementFact },
    ),
    { minLength: 5, maxLength: 30 },
  )
  .map((drawn) => {
    const versions = new Map<string, number>()
    return drawn.map((one): Fact => {
      if ('posted' in one) {
        const version = (versions.get(`posting ${one.posted}`) ?? 0) + 1
        versions.set(`posting ${one.posted}`, version)
        const more = { version, status: one.status, expiresAt: isoTime(NOW + one.hour * HOUR_MS) }
        return { event: postingChanged, data: posting(one.posted, more as never) }
      }
      if ('payees' in one) {
        const version = (versions.get(one.slug) ?? 0) + 1
        versions.set(one.slug, version)
        if (one.kind === 'removed') return { event: listingRemoved, data: { slug: one.slug, version } }
        const operations = Array.from({ length: one.endpoints }, (_, n) =>
          operation(one.slug, {
            ...{ url: url(one.slug, n), price: one.price },
            ...(one.schema ? { inputSchema: { type: one.schema } } : {}),
          }),
        )
        const payTo = one.payees.map((number) => ({ network: BASE, address: address(number) }))
        const { group, status } = one
        const more = { version, group, status, operations, payTo, updatedAt: isoTime(NOW - one.hour * HOUR_MS) }
        return {
          event: listingChanged,
          data: snapshot(one.slug, { ...more, listedAt: status === 'draft' ? null : isoTime(NOW) } as never),
        }
      }
      if ('log' in one) {
        const { reverts, log, agentId, block, change, account } = one
        const { txHash, logIndex } = settlement(log)
        const who = address(account)
        const said = {
          owner: who,
          wallet: who,
          client: who,
          index: '1',
          value: '-875',
          decimals: 1,
          tag1: 'a',
          tag2: '',
        }
        const at = { network: BASE, txHash, logIndex, blockNumber: String(block), blockHash: hash(block) }
        const of = { registry: address(9), agentId: String(agentId), observedAt: isoTime(NOW - block * HOUR_MS) }
        const uri = { text: `https://${block}.example`, cut: false }
        return { event: reverts ? identityReverted : identityChanged, data: { ...at, ...of, change, ...said, uri } }
      }
      if ('endpoint' in one) {
        const verdict = one.state === 'timeout' ? 'down' : 'up'
        const liveness = { uptime7d: one.uptime7d, latencyP50Ms: 1, latencyP95Ms: 2, checks7d: 10 }
        const checkedAt = isoTime(NOW - one.hour * HOUR_MS)
        const seen = { url: url(one.slug, one.endpoint), state: one.state, verdict, liveness, checkedAt }
        const accepts = one.offers ? [] : null
        return { event: probeCompleted, data: probe(one.slug, { ...seen, accepts } as never) }
      }
      if ('names' in one) {
        const { network, asset, payer, nonce, txHash, amount } = settlement(one.number, { nonce: nonceOf(one) })
        const resourceUrl = one.names && url(one.names, 0)
        const payment = {
          network,
          asset,
          payer,
          nonce,
          txHash,
          amount,
          payTo: address(one.payee),
          settledAt: isoTime(NOW),
        }
        return { event: paymentSettled, data: { ...payment, foreign: one.foreign, resourceUrl } }
      }
      const blockHash = hash(one.block)
      const { amount } = one
      // Between the times at which listings change, and more than a grace period from each.
      const observedAt = isoTime(NOW - (2 * one.block - 1.5) * HOUR_MS)
      const at = { blockHash, blockNumber: String(one.block), payTo: address(one.payee), nonce: nonceOf(one) }
      const seen = settlement(one.number, { ...at, amount, observedAt })
      if (one.kind === 'observed') return { event: settlementObserved, data: seen }
      const { network, txHash, logIndex } = seen
      return { event: settlementReverted, data: { network, txHash, logIndex, blockHash } }
    })
  })

const envelopes = (facts: readonly Fact[]): EventEnvelope[] =>
  facts.map(({ event, data }, index) => ({
    id: `event-${index}`,
    name: eventName(event),
    key: String((data as Record<string, unknown>)[event.key]),
    sequence: index + 1,
    source: 'test',
    occurredAt: isoTime(NOW),
    data: event.data.parse(data),
  }))

async function handle(envelope: EventEnvelope): Promise<void> {
  const consumption = module.consumes.find(({ event }) => eventName(event) === envelope.name)
  if (!consumption) throw new Error(`The catalog does not consume ${envelope.name}`)
  await handleOnce(consumption, context(), envelope)
}

/** Sums and verdicts of settlements; sums of zero count as absent. */
const SUMS = ['total_hour', 'listing_day', 'paid_slot', 'payer_hour', 'payer_day', 'last_hour', 'settled_week'].concat(
  'paid_verdict',
  'listing_usage',
)

/** Every table of the projection after these events, with its sums added up and its weeks judged. */
async function projected(hear: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const tables = ['inbox', ...projectionTables].map((table) => `catalog.${table}`)
  await catalog.database.query(`truncate ${tables}`)
  await hear()
  await settleAll(context())
  const dump: Record<string, unknown> = {}
  for (const table of [...projectionTables, ...SUMS]) {
    const rows = await catalog.database.query<{ row: string }>(
      `select to_jsonb(one)::text as row from catalog.${table} one order by 1`,
    )
    const parsed = rows.map(({ row }) => JSON.parse(row) as Record<string, unknown>)
    dump[table] = SUMS.includes(table) ? parsed.filter((row) => !isNothing(row)) : parsed
  }
  return dump
}

const isNothing = (row: Record<string, unknown>): boolean =>
  !('suspicions' in row) && Object.values(row).every((value) => typeof value !== 'number' || value === 0)

function context() {
  const ctx = catalog.services.contexts.get('catalog')
  if (!ctx) throw new Error('The catalog does not run')
  return ctx as CatalogContext
}

/** Handles payments' events in batches of this size, and the others one by one. */
const together = (events: readonly EventEnvelope[], size: number) => async () => {
  const batch = module.consumes.find(({ event }) => event === paymentSettled)?.batch
  if (!batch) throw new Error('The catalog takes no payments together')
  const isTogether = ({ name }: EventEnvelope) =>
    module.consumes.some((one) => one.batch === batch && eventName(one.event) === name)
  const waiting: EventEnvelope[] = []
  const take = async () => void (await handleBatch(batch, context(), waiting.splice(0)))
  for (const event of events) {
    if (!isTogether(event)) await handle(event)
    else if (waiting.push(event) >= size) await take()
  }
  await take()
}

/** Settlements whose listing differs from the one by everything ever claimed and asked. */
async function misattributed(): Promise<readonly Stored[]> {
  const rows = await catalog.database.query<Stored>(
    `select settlement.network, pay_to as address, asset, trim_scale(amount_usd)::text as "amountUsd", observed_at, slug, kind,
            coalesce(shared_with, '{}') as "sharedWith", resource
     from catalog.settlement left join catalog.payment_resource as named using (network, asset, payer, nonce)`,
  )
  const claims = await context()
    .db.transaction()
    .execute(async (tx) => claimsOf(tx, await claimantsOf(tx, rows)))
  return rows.filter((row) => {
    const credited = creditOf({ ...row, at: row.observed_at.getTime() }, claims.get(payeeName(row)) ?? [])
    const { slug = null, kind = row.kind, sharedWith = [] } = credited ?? {}
    return !isDeepStrictEqual([row.slug, row.kind, row.sharedWith], [slug, kind, sharedWith])
  })
}

interface Stored extends AskedPrice {
  readonly network: Caip2
  readonly address: Address
  readonly observed_at: Date
  readonly slug: string | null
  readonly kind: string
  readonly sharedWith: readonly string[]
  readonly resource: string | null
}

const abridge = listings.jobs.find(({ name }) => name === 'abridge-snapshots') as Recurring<CatalogContext> | undefined

/** The events that remain in a log a day after all were published: superseded ones gone, older snapshots abridged. */
async function dayLater(events: readonly EventEnvelope[]): Promise<EventEnvelope[]> {
  await catalog.database.query('truncate catalog.outbox')
  await catalog.database.query(
    `insert into catalog.outbox (sequence, id, name, key, occurred_at, published_at, data)
     overriding system value
     select sequence, id, name, key, $2, $2, data
     from jsonb_to_recordset($1::jsonb) as one (sequence bigint, id text, name text, key text, data jsonb)`,
    [JSON.stringify(events), new Date(NOW - DAY_MS)],
  )
  if (!abridge) throw new Error('No job abridges snapshots')
  await runOnce(abridge, context())
  for (const superseded of [listings, livenessProber].flatMap(({ supersedes }) => supersedes)) {
    let after: number | undefined = 0
    while (after !== undefined) after = await deleteSuperseded(context().db, superseded, new Date(NOW), after)
  }
  const rows = await catalog.database.query<EventEnvelope>(
    `select sequence::integer, id, name, key, data from catalog.outbox order by sequence`,
  )
  return rows.map((row) => ({ ...row, source: 'test', occurredAt: isoTime(NOW) }))
}

const inOrder = (events: readonly EventEnvelope[]) => async () => {
  for (const event of events) await handle(event)
}

test('a rebuild makes the same tables from the same events, in any order, with repetitions, and concurrently', async () => {
  await fc.assert(
    fc.asyncProperty(
      history.chain((facts) => {
        const events = envelopes(facts)
        const disordered = fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 })
        return fc.tuple(fc.constant(events), disordered, fc.integer({ min: 2, max: 64 }))
      }),
      async ([events, disordered, size]) => {
        const first = await projected(inOrder(events))
        expect(await misattributed(), 'by all that was asked').toEqual([])
        expect(await projected(inOrder(events)), 'replayed').toEqual(first)
        expect(await projected(inOrder(disordered)), 'disordered and repeated').toEqual(first)
        const renamed = disordered.map((event, index) => ({ ...event, id: `again-${index}` }))
        expect(await projected(inOrder(renamed)), 'repeated past the inbox').toEqual(first)
        expect(await projected(() => Promise.all(disordered.map(handle))), 'at once').toEqual(first)
        expect(await projected(inOrder(await dayLater(events))), 'from what its log keeps').toEqual(first)
        expect(await projected(together(disordered, size)), 'together').toEqual(first)
        expect(await projected(together(renamed, size)), 'together, past the inbox').toEqual(first)
      },
    ),
    // Reports a failure even if there was no time to shrink it.
    { numRuns: 25, interruptAfterTimeLimit: 90_000 },
  )
}, 120_000)

test('every table of the projection is listed for the rebuild', async () => {
  const rows = await catalog.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'catalog'`,
  )
  const kept = ['inbox', 'outbox', 'dead_letter', 'event_log', 'kysely_migration', 'kysely_migration_lock']
  kept.push('listing_change', 'support_report', 'operator_action', 'database_mark', 'replay_request')
  // Triggers on settlement maintain and empty the sums.
  kept.push('settlement_change', 'total_hour', 'listing_day', 'paid_slot', 'payer_hour', 'taking_part', 'settled_week')
  kept.push('paid_dirty', 'paid_verdict', 'listing_usage', 'usage_doubt', 'usage_since', 'payer_day', 'last_hour')
  expect(
    rows
      .map(({ name }) => name)
      .filter((name) => !kept.includes(name))
      .toSorted(),
  ).toEqual([...projectionTables].toSorted())
})
