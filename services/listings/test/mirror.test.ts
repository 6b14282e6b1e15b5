import { listings as operations } from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterRestore } from '../src/after-restore.ts'
import type { ListingsContext } from '../src/context.ts'
import { named, rowsOf } from './mirror-rows.ts'
import { goLive, openStage, type Stage, snapshots, verify } from './stage.ts'

const PAYEE = wallet(5).address
let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const rowOf = async (path: string) => {
  const [row] = await rowsOf(stage, stage.provider.url(path))
  if (!row) throw new Error(`${path} is not mirrored`)
  return row
}

const untilState = (path: string, state: string) =>
  until(`${path} is ${state}`, async () => (await rowOf(path)).state === state)

/** A row locked by a probe is skipped, and looked at again a minute later. */
const untilGone = (path: string) =>
  until(`${path} is gone`, async () => {
    stage.clock.advance(MINUTE_MS)
    return (await rowsOf(stage, stage.provider.url(path))).length === 0
  })

test('a row is payable only by our own probe: a source’s word on price and payee decides nothing', async () => {
  stage.provider.set('/weather', { payTo: PAYEE, amount: '20000' })
  const accepts = [{ scheme: 'exact', network: 'eip155:1', asset: 'x', amount: '1', payTo: wallet(9).address }]
  await named(stage, 'one', [{ url: stage.provider.url('/weather'), title: 'Weather', description: 'Rain?', accepts }])
  await untilState('/weather', 'payable')
  const { slug } = await rowOf('/weather')
  const [first, last] = await snapshots(stage, slug)
  expect(first).toMatchObject({ status: 'live', operations: [{ payment: null, price: null }], payTo: [] })
  expect(last).toMatchObject({
    ...{ name: 'Weather', description: 'A quote', group: 'external', provenance: 'indexed', verification: 'none' },
    fee: { bps: 0 },
    operations: [{ price: '0.02', payment: { payTo: PAYEE, amount: '20000', network: 'eip155:31337' } }],
    payTo: [{ network: 'eip155:31337', address: PAYEE }],
  })
})

test('409 mirrored: a mirrored row is never probed again on request', async () => {
  stage.provider.set('/still', { payTo: PAYEE })
  await named(stage, 'one', [{ url: stage.provider.url('/still') }])
  await untilState('/still', 'payable')
  const calls = stage.provider.calls('/still')
  const { slug } = await rowOf('/still')
  expect(await stage.services.call(operations.resync, { slug })).toMatchObject({ refusal: 'mirrored' })
  expect(stage.provider.calls('/still')).toBe(calls)
})

test('a resource of three sources is one row, which names them all and keeps the first one’s words', async () => {
  const url = stage.provider.url('/shared')
  stage.provider.set('/shared', { payTo: PAYEE })
  for (const source of ['one', 'two', 'three'])
    await named(stage, source, [{ url: `${url}?by=${source}`, title: source }])
  const rows = await rowsOf(stage, url)
  expect(rows).toMatchObject([{ sources: ['one', 'three', 'two'], claim: { title: 'one' } }])
})

test('a row is suspended when its payee changes, and reports what is asked now', async () => {
  stage.provider.set('/moves', { payTo: PAYEE })
  await named(stage, 'one', [{ url: stage.provider.url('/moves') }])
  await untilState('/moves', 'payable')
  const { slug } = await rowOf('/moves')
  stage.provider.set('/moves', { payTo: wallet(6).address })
  stage.clock.advance(DAY_MS)
  await untilState('/moves', 'suspended')
  expect((await rowOf('/moves')).reason).toContain(wallet(6).address)
  expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ status: 'suspended', operations: [{ payment: null }] })
})

test('a row that the operator approved is payable again once a new probe reads exactly the same', async () => {
  const { slug } = await rowOf('/moves')
  const review = (verdict: 'look' | 'approve', seen?: string) =>
    stage.services.call(operations.reviewMirrored, { slug, verdict, seen })
  const { seen, approved, asked } = granted(await review('look'))
  expect([approved, asked]).toMatchObject([
    [expect.stringContaining(PAYEE)],
    [expect.stringContaining(wallet(6).address)],
  ])
  expect(await review('approve')).toMatchObject({ refusal: 'invalid_request', field: 'seen' })
  expect(await review('approve', 'another reading')).toMatchObject({ refusal: 'invalid_state' })
  expect(granted(await review('approve', seen)).state).toBe('unprobed')
  await untilState('/moves', 'payable')
  expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ payTo: [{ address: wallet(6).address }] })
  expect(await review('approve')).toMatchObject({ refusal: 'invalid_state' })
  expect(await stage.services.call(operations.reviewMirrored, { slug: 'no-such', verdict: 'look' })).toMatchObject({
    refusal: 'not_found',
  })
})

test('an approval is void if the offer changes again in between: another payee suspends the row again', async () => {
  const { slug } = await rowOf('/moves')
  stage.provider.set('/moves', { payTo: wallet(7).address })
  stage.clock.advance(DAY_MS)
  await untilState('/moves', 'suspended')
  stage.provider.set('/moves', { payTo: wallet(8).address })
  const { seen } = granted(await stage.services.call(operations.reviewMirrored, { slug, verdict: 'look' }))
  granted(await stage.services.call(operations.reviewMirrored, { slug, verdict: 'approve', seen }))
  await until('it is suspended again', async () => {
    const { state, reason } = await rowOf('/moves')
    return state === 'suspended' && (reason ?? '').includes(wallet(8).address)
  })
})

test('a suspended row keeps its approved terms while a source names it, and leaves a month after none does', async () => {
  for (const path of ['/held', '/let-go']) stage.provider.set(path, { payTo: PAYEE })
  await named(stage, 'one', [{ url: stage.provider.url('/held') }])
  await named(stage, 'leaving', [{ url: stage.provider.url('/let-go') }])
  for (const path of ['/held', '/let-go']) {
    await untilState(path, 'payable')
    stage.provider.set(path, { payTo: wallet(6).address })
  }
  stage.clock.advance(DAY_MS)
  for (const path of ['/held', '/let-go']) await untilState(path, 'suspended')
  granted(await stage.services.call(operations.sources, { action: 'remove', name: 'leaving' }))
  const letGo = () => rowsOf(stage, stage.provider.url('/let-go'))
  await until('no source names it', async () => (await letGo())[0]?.unnamed_since !== null)

  stage.provider.set('/brief', { payTo: PAYEE })
  await named(stage, 'brief', [{ url: stage.provider.url('/brief') }])
  granted(await stage.services.call(operations.sources, { action: 'remove', name: 'brief' }))
  stage.clock.advance(8 * DAY_MS)
  await untilGone('/brief')
  expect(await letGo()).toMatchObject([{ state: 'suspended' }])

  stage.clock.advance(31 * DAY_MS)
  await untilGone('/let-go')
  await named(stage, 'one', [{ url: stage.provider.url('/held') }])
  expect(await rowOf('/held')).toMatchObject({ state: 'suspended', terms: [{ payTo: PAYEE }] })
})

test('after a restore, the next change of a row follows those of one that left and was named again meanwhile', async () => {
  const url = stage.provider.url('/restored')
  stage.provider.set('/restored', { payTo: PAYEE })
  await named(stage, 'lost', [{ url }])
  await untilState('/restored', 'payable')
  const { slug, version } = await rowOf('/restored')
  granted(await stage.services.call(operations.sources, { action: 'remove', name: 'lost' }))
  stage.clock.advance(8 * DAY_MS)
  await untilGone('/restored')
  await named(stage, 'one', [{ url }])
  await untilState('/restored', 'payable')
  const lost = Number((await rowOf('/restored')).version)

  await stage.database.query('update listings.mirrored set version = $2 where slug = $1', [slug, version])
  stage.clock.advance(MINUTE_MS)
  const ctx = stage.services.contexts.get('listings') as unknown as ListingsContext
  await afterRestore(ctx, { to: new Date(stage.clock.now() - DAY_MS), dryRun: false })
  stage.provider.set('/restored', { payTo: wallet(6).address })
  stage.clock.advance(DAY_MS)
  await untilState('/restored', 'suspended')
  expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ status: 'suspended' })
  expect(Number((await rowOf('/restored')).version)).toBeGreaterThan(lost)
})

test('a row that no probe could read for the configured time is stale and unpayable, until the next that can', async () => {
  stage.provider.set('/naps', { payTo: PAYEE })
  await named(stage, 'one', [{ url: stage.provider.url('/naps') }])
  await untilState('/naps', 'payable')
  stage.provider.set('/naps', (_req, res) => res.writeHead(500).end())
  stage.clock.advance(DAY_MS + HOUR_MS)
  await untilState('/naps', 'stale')
  const { slug, reason } = await rowOf('/naps')
  expect(reason).toMatch(/^No probe has been able to read its offer since /)
  expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ status: 'live', operations: [{ payment: null }] })
  stage.provider.set('/naps', { payTo: PAYEE })
  stage.clock.advance(2 * DAY_MS)
  await untilState('/naps', 'payable')
})

test('a row is unpayable, with the reason, when the probe finds no way to pay', async () => {
  stage.provider.set('/free', (_req, res) => res.writeHead(200).end('{}'))
  await named(stage, 'one', [{ url: stage.provider.url('/free') }])
  await untilState('/free', 'unpayable')
  expect((await rowOf('/free')).reason).toMatch(/without asking for payment/)
})

test('a provider’s own listing replaces the mirrored row, which is not taken in again', async () => {
  const url = stage.provider.url('/mine')
  await named(stage, 'one', [{ url }])
  const { slug } = await rowOf('/mine')
  await goLive(stage, 1, 'Mine')
  expect(await rowsOf(stage, url)).toEqual([])
  const removed = await stage.database.query(
    `select 1 from listings.outbox where name = 'listing.removed.v1' and key = $1`,
    [slug],
  )
  expect(removed).toHaveLength(1)
  expect(await named(stage, 'two', [{ url }])).toEqual({ named: 0, added: 0, notTaken: { listed: 1 } })
})

test('a row is titled by its location when its source’s title resembles a verified listing', async () => {
  const slug = await goLive(stage, 1, 'Reserved')
  granted(await verify(stage, slug))
  await named(stage, 'one', [{ url: stage.provider.url('/posing'), title: 'Rеserved' }])
  expect(await rowOf('/posing')).toMatchObject({
    claim: { title: expect.stringMatching(/^127\.0\.0\.1:\d+\/posing$/) },
  })
})

test('a host whose name is written with its final dot is no second resource', async () => {
  await named(stage, 'one', [{ url: 'https://dotted.example/x', title: 'First' }])
  const again = await named(stage, 'two', [{ url: 'https://dotted.example./x', title: 'Second' }])
  expect(again).toEqual({ named: 1, added: 0, notTaken: {} })
  expect(await rowsOf(stage, 'https://dotted.example/x')).toMatchObject([
    { claim: { title: 'First' }, sources: ['one', 'two'] },
  ])
})

test('a path with letters that are percent-encoded is no second resource', async () => {
  await named(stage, 'one', [{ url: 'https://encoded.example/quotes', title: 'First' }])
  const again = await named(stage, 'two', [{ url: 'https://encoded.example/%71uotes', title: 'Second' }])
  expect(again).toEqual({ named: 1, added: 0, notTaken: {} })
})

test('no row is made for our own hosts, nor beyond the limits per site, per source and in all', async () => {
  const on = (host: string, paths: number) =>
    Array.from({ length: paths }, (_, at) => ({ url: `https://${host}/${at}` }))
  expect(await named(stage, 'full', [{ url: 'http://127.0.0.1:8402/x402/decode' }])).toMatchObject({
    notTaken: { ours: 1 },
  })
  const beyondSite = await named(stage, 'full', [...on('a.site.example', 2), ...on('b.site.example', 2)], {
    MIRROR_PER_SITE: 3,
  })
  expect(beyondSite).toEqual({ named: 3, added: 3, notTaken: { site_full: 1 } })
  const beyondSource = await named(stage, 'full', on('other.example', 3), { MIRROR_PER_SOURCE: 5 })
  expect(beyondSource).toEqual({ named: 2, added: 2, notTaken: { source_full: 1 } })
  expect(await named(stage, 'fuller', on('third.example', 1), { MIRROR_MAX_ROWS: 1 })).toMatchObject({
    notTaken: { mirror_full: 1 },
  })
})

test('a row that the operator suspended stays so, whatever is probed or approved, until that is withdrawn', async () => {
  stage.provider.set('/fraud', { payTo: PAYEE })
  await named(stage, 'one', [{ url: stage.provider.url('/fraud') }])
  await untilState('/fraud', 'payable')
  const { slug } = await rowOf('/fraud')
  const judge = (verdict: 'approve' | 'suspend' | 'reopen', reason?: string) =>
    stage.services.call(operations.reviewMirrored, { slug, verdict, by: 'ada', ...(reason ? { reason } : {}) })
  expect(await judge('suspend')).toMatchObject({ refusal: 'invalid_request', field: 'reason' })
  expect(granted(await judge('suspend', 'It is a fraud.'))).toMatchObject({
    ...{ state: 'suspended', reason: 'The operator suspended it: It is a fraud.' },
  })
  expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ status: 'suspended', operations: [{ price: null }] })
  expect(await judge('suspend', 'Again.')).toMatchObject({ refusal: 'invalid_state' })
  expect(await judge('approve')).toMatchObject({ refusal: 'invalid_state' })
  stage.clock.advance(31 * DAY_MS)
  await named(stage, 'one', [{ url: stage.provider.url('/fraud'), title: 'Named again' }])
  expect((await rowOf('/fraud')).state).toBe('suspended')
  expect(granted(await judge('reopen'))).toMatchObject({ state: 'unprobed', reason: null })
  stage.clock.advance(HOUR_MS)
  await untilState('/fraud', 'payable')
  const rows = await stage.database.query<{ verb: string; outcome: string }>(
    'select verb, outcome from listings.operator_action where subject = $1 order by id',
    [slug],
  )
  expect(rows.map(({ verb, outcome }) => `${verb} ${outcome}`)).toEqual([
    ...['mirror suspend refused', 'mirror suspend done', 'mirror suspend refused', 'mirror approve refused'],
    'mirror reopen done',
  ])
})

test('a page that names thousands of new resources is imported whole', async () => {
  const told = Array.from({ length: 3_500 }, (_, n) => ({ url: `https://site-${n % 5}.invalid/${n}` }))
  const room = { MIRROR_PER_SOURCE: 10_000, MIRROR_MAX_ROWS: 10_000 }
  expect(await named(stage, 'large', told, room)).toMatchObject({ added: 3_500, notTaken: {} })
})
