import { listings as operations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { named, rowsOf } from './mirror-rows.ts'
import {
  act,
  checked,
  goLive,
  mineOf,
  openStage,
  publishAs,
  type Stage,
  snapshots,
  verify,
  withdrawAs,
} from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const judge = (slug: string, verdict: 'verify' | 'reject' | 'suspend' | 'reopen', more: Record<string, unknown> = {}) =>
  stage.services.call(operations.review, { slug, verdict, by: 'ada', ...more })
const actions = (slug: string) =>
  stage.database.query<{
    by: string
    verb: string
    outcome: string
    reason: string | null
    saw: Record<string, unknown>
  }>('select by, verb, outcome, reason, saw from listings.operator_action where subject = $1 order by id', [slug])

describe('suspend', () => {
  test('takes a live listing out of the directory, and its owner can read why', async () => {
    const slug = await goLive(stage, 1, 'Turncoat')
    const reason = 'It sells something else than it says.'
    expect(granted(await judge(slug, 'suspend', { reason }))).toMatchObject({ status: 'suspended' })
    expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ status: 'suspended' })
    expect(await mineOf(stage, 1, slug)).toMatchObject({
      ...{ status: 'suspended', suspendedReason: reason, rejection: null },
      suspension: { reason },
    })
    expect(await judge(slug, 'suspend', { reason })).toMatchObject({ refusal: 'invalid_state' })
  })

  test('is lifted only by the operator’s reopen, not by the owner', async () => {
    const slug = await goLive(stage, 1, 'Shapeshifter')
    granted(await judge(slug, 'suspend', { reason: 'It changed.' }))
    expect(await act(stage, 1, slug, 'activate')).toMatchObject({ refusal: 'invalid_state' })
    granted(await act(stage, 1, slug, 'revise'))
    expect(await act(stage, 1, slug, 'activate')).toMatchObject({
      refusal: 'invalid_state',
      message: expect.stringContaining('The operator suspended this listing (It changed.)'),
    })
    expect(granted(await judge(slug, 'reopen'))).toMatchObject({ status: 'draft' })
    expect(granted(await act(stage, 1, slug, 'activate'))).toMatchObject({
      ...{ status: 'live', listing: { suspension: null, suspendedReason: null } },
    })
  })

  test('also applies to a listing that its owner took down, so that it stays down', async () => {
    const slug = await goLive(stage, 1, 'Hideaway')
    granted(await act(stage, 1, slug, 'suspend'))
    expect(await judge(slug, 'reopen')).toMatchObject({ refusal: 'invalid_state' })
    granted(await judge(slug, 'suspend', { reason: 'It hides.' }))
    granted(await act(stage, 1, slug, 'revise'))
    expect(await act(stage, 1, slug, 'activate')).toMatchObject({ refusal: 'invalid_state' })
  })

  test('cannot be evaded by withdrawing the listing and publishing it again', async () => {
    const slug = await goLive(stage, 2, 'Phoenix')
    granted(await judge(slug, 'suspend', { reason: 'It burns.' }))
    granted(await withdrawAs(stage, 2, slug))
    stage.clock.advance(31 * DAY_MS)
    const again = { name: 'Another bird', urls: [stage.provider.url('/phoenix?new')] }
    expect(await publishAs(stage, 2, again)).toMatchObject({
      refusal: 'invalid_state',
      message: expect.stringContaining('The operator suspended phoenix'),
    })
  })

  test.each(['reject', 'suspend'] as const)(
    '%s keeps an endpoint out of the mirror until it is reopened',
    async (verdict) => {
      const name = verdict === 'reject' ? 'Spectre' : 'Revenant'
      const slug = await goLive(stage, 5, name)
      const url = stage.provider.url(`/${slug}`)
      granted(await judge(slug, verdict, { reason: 'It haunts.' }))
      expect(await named(stage, 'one', [{ url }])).toEqual({ named: 0, added: 0, notTaken: { rejected: 1 } })
      granted(await withdrawAs(stage, 5, slug))
      expect(await named(stage, 'one', [{ url }])).toMatchObject({ added: 0 })
      const other = await goLive(stage, 5, `${name}2`)
      granted(await judge(other, verdict, { reason: 'It haunts.' }))
      granted(await judge(other, 'reopen'))
      expect(await named(stage, 'one', [{ url: stage.provider.url(`/${other}`) }])).toMatchObject({ added: 1 })
    },
  )

  test('also removes the mirrored row that a source made while the owner had taken the listing down', async () => {
    const slug = await goLive(stage, 5, 'Doppelganger')
    const url = stage.provider.url('/doppelganger')
    granted(await act(stage, 5, slug, 'suspend'))
    expect(await named(stage, 'one', [{ url }])).toMatchObject({ added: 1 })
    granted(await judge(slug, 'suspend', { reason: 'It copies.' }))
    expect(await rowsOf(stage, url)).toEqual([])
  })

  test('of a draft takes nobody’s endpoint out of the mirror', async () => {
    const url = stage.provider.url('/bystander')
    stage.provider.set('/bystander', { payTo: wallet(9).address })
    const { listing } = granted(await publishAs(stage, 5, { name: 'Grabber', urls: [url] }))
    expect(await named(stage, 'one', [{ url }])).toMatchObject({ added: 1 })
    granted(await judge(listing.slug, 'reject', { reason: 'It is not its own.' }))
    expect(await rowsOf(stage, url)).toHaveLength(1)
    expect(await named(stage, 'two', [{ url: `${url}/other` }, { url }])).toMatchObject({ named: 2 })
  })

  test.each(['reject', 'suspend'] as const)('400 invalid_request: %s without a reason', async (verdict) => {
    const slug = await goLive(stage, 3, `Reasonless ${verdict}`.replace(' ', ''))
    expect(await judge(slug, verdict)).toMatchObject({ refusal: 'invalid_request', field: 'reason' })
    expect(await mineOf(stage, 3, slug)).toMatchObject({ status: 'live' })
  })
})

describe('verify', () => {
  test('400 invalid_request: names every item that was not checked, and changes nothing', async () => {
    const slug = await goLive(stage, 4, 'Unchecked')
    const refusal = await verify(stage, slug, { checked: ['price', 'terms'] })
    expect(refusal).toMatchObject({ refusal: 'invalid_request', field: 'checked' })
    expect(refusal).toMatchObject({ message: expect.stringMatching(/^Not checked: description \(.*impersonation \(/) })
    expect(await verify(stage, slug, { checked: ['prize'] })).toMatchObject({
      message: 'No item is called prize.',
    })
    expect(await mineOf(stage, 4, slug)).toMatchObject({ verification: 'none' })
  })

  test('400 invalid_request: a verdict that names no look, because the listing may have changed since', async () => {
    const slug = await goLive(stage, 4, 'Unseen')
    expect(await judge(slug, 'verify', { checked })).toMatchObject({ refusal: 'invalid_request', field: 'seen' })
    expect(await mineOf(stage, 4, slug)).toMatchObject({ verification: 'none' })
  })

  test('a fact against the listing must be accepted by name, or it is not verified', async () => {
    const slug = await goLive(stage, 4, 'Outdated')
    await stage.database.query(`update listings.listing set splitter_deployed = false where slug = $1`, [slug])
    const human = { checked: ['description', 'price', 'impersonation', 'terms'] }
    expect(await verify(stage, slug, human)).toMatchObject({ message: expect.stringContaining('payee_on_chain') })
    granted(await verify(stage, slug, { checked: [...human.checked, 'payee_on_chain'] }))
  })

  test('what was looked at, what the system saw, who and when are recorded, even for a refused verdict', async () => {
    const slug = await goLive(stage, 4, 'Recorded')
    await verify(stage, slug, { by: 'ada', checked: ['price'] })
    granted(await verify(stage, slug, { by: 'ada', note: 'Called it twice.' }))
    const [refused, done] = await actions(slug)
    expect(refused).toMatchObject({ by: 'ada', verb: 'verify', outcome: 'refused' })
    expect(refused?.reason).toContain('Not checked: description')
    expect(done).toMatchObject({
      ...{ by: 'ada', verb: 'verify', outcome: 'done', reason: null },
      saw: { checklistVersion: 1, seen: expect.any(String), facts: { name: 'Recorded' } },
    })
    const checklist = done?.saw.checklist as { item: string; holds: boolean | null }[]
    expect(checklist.find(({ item }) => item === 'payable')).toMatchObject({ holds: true })
    const [row] = await stage.database.query<{ arguments: object }>(
      `select arguments from listings.operator_action where subject = $1 and outcome = 'done'`,
      [slug],
    )
    expect(row?.arguments).toEqual({ seen: done?.saw.seen, checked: [...checked], note: 'Called it twice.' })
  })
})
