import { type InputOf, listings as operations, type PostingSnapshot } from '@callboard/contract'
import { deleteSuperseded } from '@callboard/store'
import {
  fakeClock,
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  until,
  wallet,
} from '@callboard/testkit'
import { DAY_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { afterRestore } from '../src/after-restore.ts'
import type { ListingsContext } from '../src/context.ts'
import { listings } from '../src/index.ts'
import { tend } from '../src/postings/tend.ts'
import { keyOf } from './stage.ts'

const NOW = Date.parse('2026-11-20T12:30:00.000Z')
const clock = fakeClock(NOW)
let database: TestDatabase
let services: TestServices
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  services = await startTestServices([listings], {
    databaseUrl: database.url,
    clock,
    env: { POSTINGS_PER_OWNER: '3', POSTINGS_PER_NETWORK: '4', POSTINGS_IN_ALL: '6' },
  })
})
afterAll(async () => {
  await services.stop()
  await database.drop()
})
beforeEach(async () => {
  clock.set(NOW)
  await database.query('truncate listings.posting, listings.listing, listings.outbox cascade')
})

type Wanted = InputOf<typeof operations.publishPosting>

const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  kind: 'open_request',
  title: 'A translation',
  description: 'Forty pages',
  category: 'data',
  amountUsd: '250',
  accepts: [{ network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }],
  contactUrl: 'https://pumps.example/wanted',
  ...more,
})
const from = (network: number) => ({ requester: { address: `203.0.${network}.7`, userAgent: null } })
const publish = (index: number, more: Partial<Wanted> = {}) =>
  services.call(operations.publishPosting, wanted(more), { caller: keyOf(index) })
const posted = async (index: number, more: Partial<Wanted> = {}) => granted(await publish(index, more)).posting
const edit = (index: number, id: string, change: Omit<InputOf<typeof operations.editPosting>, 'id'>) =>
  services.call(operations.editPosting, { id, ...change }, { caller: keyOf(index) })
const close = (index: number, id: string) => services.call(operations.closePosting, { id }, { caller: keyOf(index) })
const takeDown = (id: string, reason: string) =>
  services.call(operations.reviewPosting, { verdict: 'take_down', id, reason })
const mine = async (index: number) =>
  granted(await services.call(operations.myPostings, { limit: 50 }, { caller: keyOf(index) })).postings
const snapshots = async (id: string) => {
  const rows = await database.query<{ data: PostingSnapshot }>(
    `select data from listings.outbox where name = 'posting.changed.v1' and key = $1 order by sequence`,
    [id],
  )
  return rows.map(({ data }) => data)
}
const tended = () => tend(services.contexts.get('listings') as unknown as ListingsContext, AbortSignal.timeout(10_000))

describe('a posting', () => {
  test('is made, changed, renewed and closed, and every step is published in full', async () => {
    const { id, ...made } = await posted(1, { expiresAt: isoTime(NOW + DAY_MS) })
    expect(made).toMatchObject({
      ...wanted(),
      postedBy: wallet(1).address,
      hasVerifiedListing: false,
      status: 'open',
      expiresAt: isoTime(NOW + DAY_MS),
    })
    granted(await edit(1, id, { amountUsd: '300', contactUrl: 'https://bücher.example/' }))
    clock.set(NOW + 2 * DAY_MS)
    expect(await mine(1)).toMatchObject([{ id, status: 'expired', amountUsd: '300' }])
    granted(await edit(1, id, { expiresAt: isoTime(NOW + 3 * DAY_MS) }))
    expect(await mine(1)).toMatchObject([{ status: 'open' }])
    granted(await close(1, id))
    granted(await close(1, id))
    expect(await mine(1)).toMatchObject([{ status: 'closed', endedBecause: null }])
    const shown = (await snapshots(id)).map(({ version, status, amountUsd, contactUrl }) => [
      ...[version, status, amountUsd, contactUrl],
    ])
    expect(shown).toEqual([
      [1, 'open', '250', 'https://pumps.example/wanted'],
      [2, 'open', '300', 'https://xn--bcher-kva.example/'],
      [3, 'open', '300', 'https://xn--bcher-kva.example/'],
      [4, 'closed', '300', 'https://xn--bcher-kva.example/'],
    ])
    const [row] = await database.query('select posted_from from listings.posting where id = $1', [id])
    expect(row).toEqual({ posted_from: null })
  })

  test('is ended for everyone after a restore, however often its owner had changed it in the lost time', async () => {
    const { id } = await posted(1)
    for (let n = 0; n < 70; n += 1) granted(await edit(1, id, { title: `A translation, ${n}` }))
    const lost = (await snapshots(id)).at(-1)?.version ?? 0
    await database.query('update listings.posting set version = 1 where id = $1', [id])
    const ctx = services.contexts.get('listings') as unknown as ListingsContext
    await afterRestore(ctx, { to: new Date(NOW), dryRun: false })
    granted(await takeDown(id, 'It is spam.'))
    const last = (await snapshots(id)).at(-1)
    expect(last).toMatchObject({ status: 'taken_down' })
    expect(last?.version).toBeGreaterThan(lost)
  })

  test('404 not_found: a posting of another owner, or one that does not exist', async () => {
    const { id } = await posted(1)
    expect(await edit(2, id, { amountUsd: '1' })).toMatchObject({ refusal: 'not_found' })
    expect(await close(2, id)).toMatchObject({ refusal: 'not_found' })
    expect(await mine(2)).toEqual([])
    const nobodys = `posting_${crypto.randomUUID()}`
    expect(await edit(1, nobodys, { amountUsd: '1' })).toMatchObject({ refusal: 'not_found' })
    expect(await takeDown(nobodys, 'None')).toMatchObject({ refusal: 'not_found' })
    expect(await mine(1)).toMatchObject([{ status: 'open', amountUsd: '250' }])
  })

  test('409 invalid_state: an ended posting cannot be changed, and an expired one must be renewed first', async () => {
    const { id } = await posted(1, { expiresAt: isoTime(NOW + 1) })
    clock.set(NOW + 1)
    expect(await edit(1, id, { amountUsd: '1' })).toMatchObject({ refusal: 'invalid_state' })
    granted(await close(1, id))
    expect(await edit(1, id, { expiresAt: isoTime(NOW + DAY_MS) })).toMatchObject({ refusal: 'invalid_state' })
  })

  test('400 invalid_request: a time that is past or too far ahead, when it is made and when it is renewed', async () => {
    const { id } = await posted(1)
    for (const expiresAt of [isoTime(NOW), isoTime(NOW + 30 * DAY_MS + 1)]) {
      const refused = { refusal: 'invalid_request', field: 'expiresAt' }
      expect(await publish(1, { expiresAt })).toMatchObject(refused)
      expect(await edit(1, id, { expiresAt })).toMatchObject(refused)
    }
  })

  test('400 invalid_request: a cursor of another list', async () => {
    const cursor = Buffer.from(JSON.stringify(['listings.mine/1', NOW, 'a'])).toString('base64url')
    const answer = await services.call(operations.myPostings, { limit: 1, cursor }, { caller: keyOf(1) })
    expect(answer).toMatchObject({ refusal: 'invalid_request', field: 'cursor' })
  })

  test('the list of an owner is paged, and holds each posting once', async () => {
    const made = [await posted(1), await posted(1), await posted(1)].map(({ id }) => id)
    const read: string[] = []
    let cursor: string | undefined
    do {
      const input = { limit: 1, ...(cursor ? { cursor } : {}) }
      const page = granted(await services.call(operations.myPostings, input, { caller: keyOf(1) }))
      read.push(...page.postings.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(read.toSorted()).toEqual(made.toSorted())
  })

  test.each([
    ['a title that hides characters', { title: 'Hidden\u200bspace' }, 'title'],
    ['a title that says it is ours', { title: 'Callboard support' }, 'title'],
    ['a description that turns its text round', { description: 'Turned \u202etxt' }, 'description'],
    ['an amount that is none', { amountUsd: 'cheap' }, 'amountUsd'],
    ['a negative amount', { amountUsd: '-1' }, 'amountUsd'],
    ['no asset', { accepts: [] }, 'accepts'],
    ['an asset twice', { accepts: [...wanted().accepts, ...wanted().accepts] }, 'accepts'],
    ['a contact that is not https', { contactUrl: 'http://pumps.example/' }, 'contactUrl'],
    ['a contact that is a script', { contactUrl: 'javascript:alert(1)' }, 'contactUrl'],
    ['a contact at an address', { contactUrl: 'https://192.168.0.1/' }, 'contactUrl'],
    ['a contact at a number that is an address', { contactUrl: 'https://2130706433/' }, 'contactUrl'],
    ['a contact at an IPv6 address', { contactUrl: 'https://[::1]/' }, 'contactUrl'],
    ['a contact without a domain', { contactUrl: 'https://localhost/' }, 'contactUrl'],
    ['a contact with credentials', { contactUrl: 'https://a:b@pumps.example/' }, 'contactUrl'],
    ['a kind that is published otherwise', { kind: 'api' }, 'kind'],
    ['a verification of its own making', { hasVerifiedListing: true }, ''],
  ])('400: the schema refuses %s', (_what, change, field) => {
    const parsed = operations.publishPosting.input.safeParse({ ...wanted(), ...change })
    expect(parsed.error?.issues[0]?.path[0] ?? '').toBe(field)
    expect(parsed.success).toBe(false)
  })
})

describe('the operator', () => {
  test('takes a posting down for good, and its owner can read why', async () => {
    const { id } = await posted(1)
    const looked = granted(await services.call(operations.reviewPosting, { verdict: 'look', id }))
    expect(looked.posting).toMatchObject({ id, status: 'open' })
    granted(await takeDown(id, 'It offers what is not its own.'))
    expect(await mine(1)).toMatchObject([{ status: 'taken_down', endedBecause: 'It offers what is not its own.' }])
    granted(await close(1, id))
    expect(await edit(1, id, { expiresAt: isoTime(NOW + DAY_MS) })).toMatchObject({ refusal: 'invalid_state' })
    expect((await snapshots(id)).at(-1)).toMatchObject({ version: 2, status: 'taken_down' })
  })
})

describe('the number of postings is limited', () => {
  test('409 posting_limit: per owner, even for concurrent ones; an ended one frees its place', async () => {
    const [first] = [await posted(1), await posted(1)]
    const both = await Promise.all([publish(1), publish(1)])
    expect(both.filter((answer) => 'refusal' in answer)).toMatchObject([
      { refusal: 'posting_limit', details: { scope: 'owner', limit: 3 } },
    ])
    granted(await close(1, first.id))
    await posted(1, { expiresAt: isoTime(NOW + 1) })
    clock.set(NOW + 1)
    await posted(1)
  })

  test('409 posting_limit: per network, over all its owners; a renewal needs a place too', async () => {
    const short = await posted(9, { ...from(1), expiresAt: isoTime(NOW + 1) })
    clock.set(NOW + 1)
    for (const index of [1, 2, 3, 4]) await posted(index, from(1))
    const refused = { refusal: 'posting_limit', details: { scope: 'network', limit: 4 } }
    expect(await publish(5, from(1))).toMatchObject(refused)
    const expiresAt = isoTime(NOW + DAY_MS)
    expect(await edit(9, short.id, { ...from(1), expiresAt })).toMatchObject(refused)
    await posted(5, from(2))
  })

  test('when all places are taken, a smaller network takes the oldest of the largest, whose owner can read why', async () => {
    const oldest = await posted(1, from(1))
    clock.advance(1)
    for (const index of [2, 3, 4]) await posted(index, from(1))
    for (const index of [5, 6]) await posted(index, from(2))
    await posted(7, from(3))
    expect(await mine(1)).toMatchObject([{ id: oldest.id, status: 'closed', endedBecause: expect.any(String) }])
    expect((await snapshots(oldest.id)).at(-1)).toMatchObject({ status: 'closed' })
    await posted(8, from(3))
    expect(await publish(9, from(3))).toMatchObject({
      refusal: 'posting_limit',
      details: { scope: 'all', limit: 6 },
    })
  })

  test('not for an owner with a verified listing, who needs none of these places', async () => {
    for (const index of [1, 2, 3, 4]) await posted(index, from(1))
    await verify(5)
    expect(await posted(5, from(1))).toMatchObject({ hasVerifiedListing: true })
  })
})

/** Creates a live listing of an owner, verified by the operator. */
const verify = (index: number) =>
  database.query(
    `insert into listings.listing (slug, version, owner, name, description, category, status, verification, listing_group,
       provenance, fee_bps, fee_label, network, payout_wallet, splitter_address, splitter_factory, splitter_deployed,
       operations, conformances, liveness, created_at, listed_at, updated_at)
     values ('verified-' || $2, 1, $1, 'V', 'V', 'data', 'live', 'verified', 'added', 'self_listed', 0, '', 'eip155:8453', $1, $1, $1,
       true, '[]', '{}', '{}', now(), now(), now())`,
    [wallet(index).address, index],
  )

describe('time and verification', () => {
  test('a change of its owner’s verification reaches the postings', async () => {
    const { id } = await posted(1)
    await verify(1)
    await tended()
    expect(await mine(1)).toMatchObject([{ hasVerifiedListing: true }])
    await database.query(`update listings.listing set status = 'suspended', verification = 'none'`)
    await tended()
    await tended()
    expect((await snapshots(id)).map(({ hasVerifiedListing }) => hasVerifiedListing)).toEqual([false, true, false])
  })

  test('a renewal takes its owner’s verification as it is then, for what is shown and for the place that it needs', async () => {
    await verify(1)
    const lost = await posted(1, { ...from(1), expiresAt: isoTime(NOW + 1) })
    const gained = await posted(2, { ...from(1), expiresAt: isoTime(NOW + 1) })
    clock.set(NOW + 1)
    await database.query('delete from listings.listing')
    const renew = (index: number, id: string) => edit(index, id, { ...from(1), expiresAt: isoTime(NOW + DAY_MS) })
    expect(granted(await renew(1, lost.id)).posting).toMatchObject({ hasVerifiedListing: false })
    for (const index of [4, 5, 6]) await posted(index, from(1))
    expect(await renew(2, gained.id)).toMatchObject({ refusal: 'posting_limit', details: { scope: 'network' } })
    await verify(2)
    expect(granted(await renew(2, gained.id)).posting).toMatchObject({ hasVerifiedListing: true })
  })

  test('an ended posting is shown to its owner for ninety days', async () => {
    await posted(1, { expiresAt: isoTime(NOW + DAY_MS) })
    clock.set(NOW + 91 * DAY_MS)
    await tended()
    expect(await mine(1)).toHaveLength(1)
    clock.set(NOW + 91 * DAY_MS + 1)
    await tended()
    expect(await mine(1)).toEqual([])
  })

  test('what a posting said leaves the event log, too, once no reader can keep it', async () => {
    const { id } = await posted(1)
    await close(1, id)
    const { db } = services.contexts.get('listings') as unknown as ListingsContext
    await until('it was told', async () => {
      const waiting = await database.query('select 1 from listings.outbox where published_at is null')
      return waiting.length === 0
    })
    const left = async (at: number) => {
      for (const events of listings.supersedes) await deleteSuperseded(db, events, new Date(at), 0)
      return (await snapshots(id)).map(({ status }) => status)
    }
    expect(await left(NOW + 60 * DAY_MS)).toEqual(['closed'])
    expect(await left(NOW + 60 * DAY_MS + 1)).toEqual([])
  })
})
