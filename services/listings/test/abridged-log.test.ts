import { type ListingSnapshot, listings as operations } from '@callboard/contract'
import { granted, runOnce, until } from '@callboard/testkit'
import { HOUR_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListingsContext } from '../src/context.ts'
import { abridgeSnapshots } from '../src/jobs/abridge-snapshots.ts'
import { goLive, keyOf, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const edit = async (slug: string, description: string) =>
  granted(await stage.services.call(operations.edit, { slug, description }, { caller: keyOf(1) }))

const logged = async (slug: string): Promise<ListingSnapshot[]> => {
  const rows = await stage.database.query<{ data: ListingSnapshot }>(
    `select data from listings.outbox where name = 'listing.changed.v1' and key = $1 order by sequence`,
    [slug],
  )
  return rows.map(({ data }) => data)
}

const abridgeAfter = (hours: number) =>
  runOnce(abridgeSnapshots, stage.services.contexts.get('listings') as ListingsContext, hours * HOUR_MS)

test('an hour later the event log holds the last snapshot of a listing whole, and the others abridged', async () => {
  const slug = await goLive(stage, 1, 'Tides')
  for (const text of ['One.', 'Two.', 'Three.']) await edit(slug, text)
  await until('all is published', async () => {
    const waiting = await stage.database.query('select from listings.outbox where published_at is null')
    return waiting.length === 0
  })
  const before = await logged(slug)
  await abridgeAfter(0.5)
  expect(await logged(slug)).toEqual(before)

  await abridgeAfter(1.5)
  const after = await logged(slug)
  expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version))
  expect(after.at(-1)).toEqual(before.at(-1))
  expect(after.at(-1)).toMatchObject({ description: 'Three.' })
  for (const [at, short] of after.slice(0, -1).entries()) {
    expect(short).toMatchObject({ abridged: true, description: '', payTo: before[at]?.payTo, name: 'Tides' })
  }

  await edit(slug, 'Four.')
  await until('it is published', async () => (await logged(slug)).length > before.length)
  await until('all is published', async () => {
    const waiting = await stage.database.query('select from listings.outbox where published_at is null')
    return waiting.length === 0
  })
  await abridgeAfter(1.5)
  expect((await logged(slug)).map(({ abridged }) => abridged ?? false)).toEqual([...before.map(() => true), false])
})
