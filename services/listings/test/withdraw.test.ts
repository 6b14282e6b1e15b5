import { listings as operations } from '@callboard/contract'
import { granted, until } from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterRestore } from '../src/after-restore.ts'
import type { ListingsContext } from '../src/context.ts'
import {
  act,
  goLive,
  keyOf,
  openStage,
  publishAs,
  type Stage,
  snapshots,
  splitterOf,
  verify,
  withdrawAs,
} from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const removals = (slug: string) =>
  stage.database.query<{ data: unknown }>(
    `select data from listings.outbox where name = 'listing.removed.v1' and key = $1`,
    [slug],
  )

const slugsOf = async (index: number) =>
  granted(await stage.services.call(operations.mine, { limit: 100 }, { caller: keyOf(index) })).listings.map(
    ({ slug }) => slug,
  )

describe('a withdrawn listing', () => {
  test('is gone for its owner and the public, is published as removed once, and is no longer checked', async () => {
    const slug = await goLive(stage, 1, 'Leaving')
    const targets = () => stage.database.query('select 1 from liveness_prober.target where slug = $1', [slug])
    await until('it is watched', async () => (await targets()).length === 1)
    expect(await withdrawAs(stage, 1, slug)).toEqual({})
    expect(await slugsOf(1)).not.toContain(slug)
    expect(await removals(slug)).toEqual([{ data: { slug, version: 3 } }])
    await until('it is watched no more', async () => (await targets()).length === 0)
    for (const answer of [
      await act(stage, 1, slug, 'revise'),
      await stage.services.call(operations.edit, { slug, description: 'Back?' }, { caller: keyOf(1) }),
      await stage.services.call(operations.resync, { slug }),
      await verify(stage, slug),
    ]) {
      expect(answer).toMatchObject({ refusal: 'not_found' })
    }
  })

  test('is published as removed again, above its newest version, after its schema was restored', async () => {
    const slug = await goLive(stage, 1, 'Restored')
    granted(await withdrawAs(stage, 1, slug))
    const ctx = stage.services.contexts.get('listings') as unknown as ListingsContext
    await afterRestore(ctx, { to: new Date(stage.clock.now()), dryRun: false })
    const newest = Number((await snapshots(stage, slug)).at(-1)?.version)
    expect(newest).toBeGreaterThan(1_000)
    expect((await removals(slug)).at(-1)).toEqual({ data: { slug, version: newest } })
    expect(await slugsOf(1)).not.toContain(slug)
  })

  test('is withdrawn once, however often and by however many concurrent requests', async () => {
    const slug = await goLive(stage, 1, 'Hasty')
    const answers = await Promise.all(Array.from({ length: 5 }, () => withdrawAs(stage, 1, slug)))
    expect(answers).toEqual(answers.map(() => ({})))
    expect(await withdrawAs(stage, 1, slug)).toEqual({})
    expect(await removals(slug)).toHaveLength(1)
  })

  test('404 not_found: a listing of another owner, or an unknown one', async () => {
    const slug = await goLive(stage, 1, 'Kept')
    expect(await withdrawAs(stage, 2, slug)).toMatchObject({ refusal: 'not_found' })
    expect(await withdrawAs(stage, 2, 'nobody-has-this')).toMatchObject({ refusal: 'not_found' })
    expect(await slugsOf(1)).toContain(slug)
  })

  test('either precedes or follows an activation, and is never half withdrawn', async () => {
    const { splitterAddress } = await splitterOf(stage, 1)
    stage.provider.set('/race', { payTo: splitterAddress })
    const { listing } = granted(await publishAs(stage, 1, { name: 'Race', urls: [stage.provider.url('/race')] }))
    const [, gone] = await Promise.all([act(stage, 1, listing.slug, 'activate'), withdrawAs(stage, 1, listing.slug)])
    expect(gone).toEqual({})
    const [row] = await stage.database.query('select status, withdrawn_at from listings.listing where slug = $1', [
      listing.slug,
    ])
    expect(row).toMatchObject({ status: expect.stringMatching(/draft|suspended/), withdrawn_at: expect.any(Date) })
  })
})

describe('the name of a withdrawn listing', () => {
  const publish = async (index: number, name: string) => {
    const path = `/${name.toLowerCase()}-${index}`
    stage.provider.set(path, { payTo: (await splitterOf(stage, index)).splitterAddress })
    return publishAs(stage, index, { name, urls: [stage.provider.url(path)] })
  }
  const slugOf = async (index: number, name: string) => granted(await publish(index, name)).listing.slug

  test('is free for its owner at once and for others after thirty days, under another slug', async () => {
    const slug = await goLive(stage, 1, 'Phoenix')
    granted(await withdrawAs(stage, 1, slug))
    expect(await publish(2, 'PHOENIX')).toMatchObject({
      refusal: 'slug_taken',
      field: 'name',
      message: expect.stringContaining('withdrew it, and the name is reserved for them until'),
    })
    const again = await slugOf(1, 'Phoenix')
    expect(again).toMatch(/^phoenix-[a-z0-9]{6}$/)
    granted(await withdrawAs(stage, 1, again))
    stage.clock.advance(30 * DAY_MS)
    const others = await slugOf(2, 'Phoenix')
    expect(others).toMatch(/^phoenix-[a-z0-9]{6}$/)
  })

  test('is not taken by renaming another owner’s listing until then', async () => {
    const slug = await goLive(stage, 1, 'Reserved')
    granted(await withdrawAs(stage, 1, slug))
    const other = await goLive(stage, 2, 'Bystander')
    const rename = (index: number, listing: string, name: string) =>
      stage.services.call(operations.edit, { slug: listing, name }, { caller: keyOf(index) })
    expect(await rename(2, other, 'RESERVED')).toMatchObject({
      refusal: 'invalid_state',
      field: 'name',
      message: expect.stringContaining('withdrew it, and the name is reserved for them until'),
    })
    const own = await goLive(stage, 1, 'Successor')
    granted(await rename(1, own, 'Reserved'))
    granted(await rename(2, other, 'bystander'))
  })

  test('is free at once, with its slug, if it was a draft that only its owner knew', async () => {
    expect(await slugOf(1, 'Sketch')).toBe('sketch')
    granted(await withdrawAs(stage, 1, 'sketch'))
    expect(await slugOf(2, 'Sketch')).toBe('sketch')
  })

  test('is refused while in use, with what can be done', async () => {
    await slugOf(1, 'Inuse')
    expect(await publish(1, 'inuse')).toMatchObject({ message: expect.stringContaining('You hold inuse') })
    expect(await publish(2, 'inuse')).toMatchObject({ message: expect.stringContaining('Choose another') })
  })

  test('is refused to a renamed listing while another owner’s has it', async () => {
    await slugOf(1, 'Occupied')
    const other = await goLive(stage, 2, 'Neighbour')
    const renamed = await stage.services.call(operations.edit, { slug: other, name: 'occupied' }, { caller: keyOf(2) })
    expect(renamed).toMatchObject({
      refusal: 'invalid_state',
      field: 'name',
      message: expect.stringContaining('Choose another'),
    })
  })

  test('goes to one of two that request it concurrently', async () => {
    await Promise.all([1, 2].map((index) => splitterOf(stage, index)))
    const answers = await Promise.all([publish(1, 'Contested'), publish(2, 'Contested')])
    expect(answers.filter((answer) => 'refusal' in answer)).toMatchObject([{ refusal: 'slug_taken' }])
  })
})
