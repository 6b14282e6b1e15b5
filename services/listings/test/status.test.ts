import { listings as operations, type StatusAction } from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  act,
  goLive,
  keyOf,
  mineOf,
  openStage,
  publishAs,
  type Stage,
  send,
  snapshots,
  splitterOf,
  verify,
} from './stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const reject = (slug: string) =>
  stage.services.call(operations.review, { slug, verdict: 'reject', reason: 'It sells nothing.' })

async function draft(index: number, name: string, payTo?: string): Promise<string> {
  const { splitterAddress, deployed, deploy } = await splitterOf(stage, index)
  if (!deployed) await send(stage, index, deploy)
  stage.provider.set(`/${name}`, { payTo: payTo ?? splitterAddress })
  const { listing } = granted(await publishAs(stage, index, { name, urls: [stage.provider.url(`/${name}`)] }))
  return listing.slug
}

describe('setStatus', () => {
  test('404 not_found: a listing of another owner looks like one that does not exist', async () => {
    const slug = await draft(1, 'others')
    const strange = await act(stage, 2, slug, 'suspend')
    expect(strange).toEqual(await act(stage, 2, 'no-such-listing', 'suspend'))
    expect(strange).toMatchObject({ refusal: 'not_found' })
  })

  test.each<[StatusAction]>([['request_verification'], ['suspend'], ['revise']])(
    '409 invalid_state: a draft does not accept %s',
    async (action) => {
      const slug = await draft(1, `draft-${action.replace('_', '-')}`)
      expect(await act(stage, 1, slug, action)).toMatchObject({ refusal: 'invalid_state' })
    },
  )

  test('409 invalid_state: names the actions that apply instead, such as revise for a suspended listing', async () => {
    const slug = await goLive(stage, 1, 'Instead')
    const message = expect.stringMatching(/live\. Possible now: request_verification, suspend\.$/)
    expect(await act(stage, 1, slug, 'activate')).toMatchObject({ refusal: 'invalid_state', message })
    granted(await act(stage, 1, slug, 'suspend'))
    const revise = expect.stringMatching(/suspended\. Possible now: revise\.$/)
    expect(await act(stage, 1, slug, 'activate')).toMatchObject({ refusal: 'invalid_state', message: revise })
  })

  test('409 invalid_state: a live listing is not activated again, nor reviewed twice', async () => {
    const slug = await goLive(stage, 1, 'Twice')
    expect(await act(stage, 1, slug, 'activate')).toMatchObject({ refusal: 'invalid_state' })
    granted(await act(stage, 1, slug, 'request_verification'))
    expect(await act(stage, 1, slug, 'request_verification')).toMatchObject({ refusal: 'invalid_state' })
  })

  test('422 no_usable_challenge: an endpoint that does not pay the splitter keeps its listing a draft', async () => {
    const slug = await draft(1, 'pays-wallet', wallet(1).address)
    expect(await act(stage, 1, slug, 'activate')).toMatchObject({
      refusal: 'no_usable_challenge',
      field: 'operations.0.url',
      message: expect.stringContaining('fee splitter'),
    })
    expect(await mineOf(stage, 1, slug)).toMatchObject({ status: 'draft' })
  })

  test('422 no_usable_challenge: every endpoint is probed again, not only the first', async () => {
    const { splitterAddress } = await splitterOf(stage, 1)
    for (const path of ['/two-a', '/two-b']) stage.provider.set(path, { payTo: splitterAddress })
    const urls = ['/two-a', '/two-b'].map(stage.provider.url)
    const { listing } = granted(await publishAs(stage, 1, { name: 'two', urls }))
    stage.provider.set('/two-b', (_req, res) => res.writeHead(503).end())
    expect(await act(stage, 1, listing.slug, 'activate')).toMatchObject({
      refusal: 'no_usable_challenge',
      field: 'operations.1.url',
      details: { state: 'server_error' },
    })
  })

  test('200: of two concurrent activations exactly one succeeds, and one snapshot is published', async () => {
    const slug = await draft(1, 'race')
    const both = await Promise.all([act(stage, 1, slug, 'activate'), act(stage, 1, slug, 'activate')])
    expect(both.filter((answer) => !isRefusal(answer))).toHaveLength(1)
    expect(both.filter(isRefusal)).toMatchObject([{ refusal: 'invalid_state' }])
    expect(await snapshots(stage, slug)).toMatchObject([{ status: 'live', version: 2 }])
  })

  test('200: a re-activated listing keeps its first listedAt and must be reviewed again', async () => {
    const slug = await goLive(stage, 1, 'Again')
    granted(await verify(stage, slug))
    const { listedAt } = await mineOf(stage, 1, slug)
    for (const action of ['suspend', 'revise'] as const) granted(await act(stage, 1, slug, action))
    stage.clock.advance(60_000)
    const { listing } = granted(await act(stage, 1, slug, 'activate'))
    expect(listing).toMatchObject({ status: 'live', verification: 'none', listedAt })
  })
})

describe('edit', () => {
  const edit = (index: number, slug: string, more: { name?: string; description?: string }) =>
    stage.services.call(operations.edit, { slug, ...more }, { caller: keyOf(index) })

  test('200: name and description change, the slug stays, and the change is published', async () => {
    const slug = await goLive(stage, 1, 'Editable')
    expect(await edit(1, slug, { name: 'New Name' })).toEqual({
      ok: true,
      slug: 'editable',
      name: 'New Name',
      description: 'Quotes for tests.',
    })
    granted(await edit(1, slug, { name: 'New Name' }))
    expect(await snapshots(stage, slug)).toMatchObject([
      { version: 2, name: 'Editable' },
      { version: 3, name: 'New Name' },
    ])
  })

  test('404 not_found: a listing of another owner', async () => {
    const slug = await draft(1, 'not-yours')
    expect(await edit(2, slug, { name: 'Mine now' })).toMatchObject({ refusal: 'not_found' })
  })
})

describe('review', () => {
  test('200: a rejected draft can be revised, and a verified listing stays live', async () => {
    const slug = await draft(1, 'rejected')
    expect(await reject(slug)).toMatchObject({ slug, status: 'rejected', verification: 'none' })
    expect(granted(await act(stage, 1, slug, 'revise'))).toMatchObject({ status: 'draft' })
  })

  test('404 not_found and 409 invalid_state: a listing that does not exist, and one that is not live', async () => {
    expect(await verify(stage, 'no-such-listing')).toMatchObject({ refusal: 'not_found' })
    expect(await verify(stage, await draft(1, 'unlisted'))).toMatchObject({ refusal: 'invalid_state' })
  })
})

describe('resync', () => {
  const resync = (slug: string) => stage.services.call(operations.resync, { slug })

  test('202 refreshed: any caller can have a live listing read again', async () => {
    const slug = await goLive(stage, 1, 'Fresh')
    const { splitterAddress } = await splitterOf(stage, 1)
    stage.provider.set('/fresh', { payTo: splitterAddress, amount: '25000' })
    expect(await resync(slug)).toEqual({
      ok: true,
      outcome: 'refreshed',
      checkedAt: expect.any(String),
      problems: [],
    })
    expect(await mineOf(stage, 1, slug)).toMatchObject({ operations: [{ price: '0.025' }] })
    expect(await snapshots(stage, slug)).toMatchObject([
      { version: 2 },
      { version: 3, operations: [{ price: '0.025' }] },
    ])
    expect(granted(await resync(slug)).outcome).toBe('refreshed')
    expect(await snapshots(stage, slug)).toHaveLength(2)
  })

  test('202 failed: an endpoint that is unavailable keeps what was read before', async () => {
    const slug = await goLive(stage, 1, 'Away')
    stage.provider.set('/away', (_req, res) => res.writeHead(500).end())
    expect(await resync(slug)).toMatchObject({ ok: false, outcome: 'failed' })
    expect(await mineOf(stage, 1, slug)).toMatchObject({ status: 'live', operations: [{ price: '0.01' }] })
  })

  test('202 suspended: an endpoint that pays another address takes its listing offline', async () => {
    const slug = await goLive(stage, 1, 'Turncoat')
    granted(await verify(stage, slug))
    stage.provider.set('/turncoat', { payTo: wallet(6).address })
    expect(await resync(slug)).toMatchObject({ ok: false, outcome: 'suspended' })
    expect((await snapshots(stage, slug)).at(-1)).toMatchObject({
      status: 'suspended',
      verification: 'none',
      operations: [{ price: null, payment: null }],
      conformance: { issues: expect.arrayContaining(['PAYTO_CHANGED']) },
    })
  })

  test('202 suspended, 202 not_live: an offline listing is reported as such, and not probed', async () => {
    const slug = await goLive(stage, 1, 'Offline')
    // Published, activated, and first checked by the schedule: nothing calls it after that.
    await until('the first check shows', async () => (await mineOf(stage, 1, slug)).liveness.checks7d > 0)
    granted(await act(stage, 1, slug, 'suspend'))
    const calls = stage.provider.calls('/offline')
    expect(await resync(slug)).toMatchObject({ ok: false, outcome: 'suspended' })
    granted(await act(stage, 1, slug, 'revise'))
    expect(await resync(slug)).toMatchObject({ ok: false, outcome: 'not_live' })
    expect(stage.provider.calls('/offline')).toBe(calls)
  })

  test('404 not_found: an unknown slug, and a draft that was never listed', async () => {
    expect(await resync('no-such-listing')).toMatchObject({ refusal: 'not_found' })
    expect(await resync(await draft(1, 'secret-draft'))).toMatchObject({ refusal: 'not_found' })
  })
})

test('503 temporarily_unavailable: while the chain cannot be read, nothing is activated', async () => {
  const slug = await draft(1, 'blind')
  const splitter = await splitterOf(stage, 1)
  expect(splitter.deployed).toBe(true)
  await stage.devnet.stop()
  expect(await act(stage, 1, slug, 'activate')).toMatchObject({ refusal: 'temporarily_unavailable' })
  expect(await mineOf(stage, 1, slug)).toMatchObject({ status: 'draft' })
})
