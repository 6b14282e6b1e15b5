import { listings as operations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ListingsContext } from '../src/context.ts'
import { judgedRows } from '../src/store/mirror.repository.ts'
import { named } from './mirror-rows.ts'
import { act, goLive, keyOf, mineOf, openStage, publishAs, type Stage, splitterOf, withdrawAs } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const judge = (slug: string, verdict: 'reject' | 'reopen', reason = 'It sells nothing.') =>
  stage.services.call(operations.review, { slug, verdict, reason })

test('a rejected listing can be revised by its owner, who can read why, but activated only after a reopen', async () => {
  const slug = await goLive(stage, 1, 'Impostor')
  granted(await judge(slug, 'reject', 'It is not the shop that it says it is.'))
  expect(await mineOf(stage, 1, slug)).toMatchObject({
    status: 'rejected',
    rejection: { reason: 'It is not the shop that it says it is.' },
  })
  granted(await act(stage, 1, slug, 'revise'))
  expect(await act(stage, 1, slug, 'activate')).toMatchObject({
    refusal: 'invalid_state',
    message: expect.stringContaining('It is not the shop'),
  })
  expect(granted(await judge(slug, 'reopen'))).toMatchObject({ status: 'draft' })
  expect(granted(await act(stage, 1, slug, 'activate'))).toMatchObject({ status: 'live', listing: { rejection: null } })
  expect(await judge(slug, 'reopen')).toMatchObject({ refusal: 'invalid_state' })
})

test('a rejected listing cannot be published again, neither after a withdrawal nor by another owner of the wallet', async () => {
  const { splitterAddress } = await splitterOf(stage, 1)
  const slug = await goLive(stage, 1, 'Villain')
  stage.provider.set('/spare', { payTo: splitterAddress })
  const spare = granted(await publishAs(stage, 1, { name: 'Spare', urls: [stage.provider.url('/villain')] }))
  granted(await judge(slug, 'reject'))
  expect(await act(stage, 1, spare.listing.slug, 'activate')).toMatchObject({ refusal: 'invalid_state' })
  granted(await withdrawAs(stage, 1, slug))
  stage.clock.advance(31 * DAY_MS)
  const again = { name: 'Quite another', urls: [stage.provider.url('/villain?new')] }
  expect(await publishAs(stage, 1, again)).toMatchObject({ refusal: 'invalid_state', field: 'operations.0.url' })
  expect(await publishAs(stage, 2, { ...again, payoutWallet: wallet(1).address, signer: 1 })).toMatchObject({
    refusal: 'invalid_state',
  })
  const renamed = { name: 'VILLAIN', urls: [stage.provider.url('/spare')] }
  expect(await publishAs(stage, 1, renamed)).toMatchObject({ refusal: 'invalid_state', field: 'name' })
  granted(await publishAs(stage, 1, { ...renamed, name: 'Honest now' }))
})

test('what a listing sold when it was rejected cannot be listed anew after its operations were replaced', async () => {
  const slug = await goLive(stage, 4, 'Chameleon')
  granted(await judge(slug, 'reject'))
  granted(await act(stage, 4, slug, 'revise'))
  const { splitterAddress } = await splitterOf(stage, 4)
  const declared = (path: string) => {
    stage.provider.set(path, { payTo: splitterAddress })
    const url = stage.provider.url(path)
    return [{ method: 'GET' as const, url, name: 'Quote', description: '', metadataEvidence: 'none' as const }]
  }
  const replaced = { slug, category: 'data' as const, operations: declared('/decoy') }
  granted(await stage.services.call(operations.replace, replaced, { caller: keyOf(4) }))
  const again = { name: 'Another animal', urls: [stage.provider.url('/chameleon')] }
  expect(await publishAs(stage, 4, again)).toMatchObject({ refusal: 'invalid_state', field: 'operations.0.url' })
  granted(await judge(slug, 'reject', 'It is still nothing.'))
  expect(await publishAs(stage, 4, again)).toMatchObject({ refusal: 'invalid_state' })
  granted(await judge(slug, 'reopen'))
  granted(await publishAs(stage, 4, again))
})

test('a final dot of the host evades no verdict, neither for its owner nor by way of the mirror', async () => {
  const { splitterAddress } = await splitterOf(stage, 1)
  const dotted = stage.provider.url('/dotted').replace('127.0.0.1', 'localhost.')
  const plain = dotted.replace('localhost.', 'localhost')
  stage.provider.set('/dotted', { payTo: splitterAddress })
  const { listing } = granted(await publishAs(stage, 1, { name: 'Dotted', urls: [dotted] }))
  granted(await act(stage, 1, listing.slug, 'activate'))
  granted(await judge(listing.slug, 'reject'))
  expect(await named(stage, 'one', [{ url: plain }])).toEqual({ named: 0, added: 0, notTaken: { rejected: 1 } })
  expect(await publishAs(stage, 1, { name: 'Undotted', urls: [plain] })).toMatchObject({ refusal: 'invalid_state' })
})

test('409 invalid_state: an edit cannot take the name of a rejected listing, and one that keeps its name is free', async () => {
  const rejected = await goLive(stage, 3, 'Fraud')
  const live = await goLive(stage, 3, 'Decent')
  const { splitterAddress } = await splitterOf(stage, 3)
  stage.provider.set('/draft', { payTo: splitterAddress })
  const urls = [stage.provider.url('/draft'), stage.provider.url('/fraud?again')]
  const draft = granted(await publishAs(stage, 3, { name: 'Draft', urls })).listing.slug
  granted(await judge(rejected, 'reject'))
  const edit = (slug: string, more: { name?: string; description?: string }) =>
    stage.services.call(operations.edit, { slug, ...more }, { caller: keyOf(3) })
  for (const slug of [draft, live]) {
    expect(await edit(slug, { name: 'FRAUD' })).toMatchObject({ refusal: 'invalid_state', field: 'name' })
  }
  expect(await mineOf(stage, 3, draft)).toMatchObject({ name: 'Draft' })
  granted(await edit(draft, { description: 'Still a draft' }))
  granted(await edit(draft, { name: 'Draft of another name' }))
  granted(await edit(rejected, { name: 'Fraud?' }))
})

test('what the operator judged of the mirror is looked up by an index, however much is mirrored', async () => {
  const { db } = stage.services.contexts.get('listings') as unknown as ListingsContext
  await stage.database.query(`
    insert into listings.mirrored (slug, version, method, url, resource, origin, site, state, state_since, claim, fact, terms,
                                   created_at, updated_at)
    select 'many-' || n, 1, 'GET', 'https://many.example/' || n, 'https://many.example/' || n, 'https://many.example',
           'many.example', 'payable', now(), json_build_object('text', repeat(md5(n::text), 20)),
           json_build_object('text', repeat(md5(n::text), 20)), '[{"payTo":"0x01"}]', now(), now()
      from generate_series(1, 20000) n`)
  await stage.database.query('analyze listings.mirrored')
  const sent = vi.spyOn(db.getExecutor(), 'executeQuery')
  expect(await judgedRows(db, wallet(1).address, wallet(1).address)).toEqual([])
  const [query] = sent.mock.calls.flatMap(([one]) => (one.sql.includes('taken_down') ? one : []))
  sent.mockRestore()
  const plan = await db.executeQuery(CompiledQuery.raw(`explain ${query?.sql}`, [...(query?.parameters ?? [])]))
  expect(JSON.stringify(plan.rows)).not.toContain('Seq Scan')
  await stage.database.query(`delete from listings.mirrored where site = 'many.example'`)
})
