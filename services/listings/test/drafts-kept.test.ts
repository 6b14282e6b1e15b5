import { granted, runOnce } from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListingsContext } from '../src/context.ts'
import { sweepDrafts } from '../src/jobs/sweep-drafts.ts'
import { goLive, openStage, publishAs, type Stage, splitterOf, withdrawAs } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

async function draft(name: string): Promise<string> {
  const { splitterAddress } = await splitterOf(stage, 1)
  stage.provider.set(`/${name}`, { payTo: splitterAddress })
  return granted(await publishAs(stage, 1, { name, urls: [stage.provider.url(`/${name}`)] })).listing.slug
}

const kept = async () => (await stage.database.query('select slug from listings.listing')).map(({ slug }) => slug)

const sweepAfter = (days: number) =>
  runOnce(sweepDrafts, stage.services.contexts.get('listings') as ListingsContext, days * DAY_MS)

test('an unseen withdrawn draft is deleted after thirty days; one that was public, was paid or goes on is kept', async () => {
  const [gone, paid, draws] = [await draft('Unseen'), await draft('Paid'), await draft('Goes-on')]
  const shown = await goLive(stage, 2, 'Shown')
  await withdrawAs(stage, 1, gone)
  await withdrawAs(stage, 1, paid)
  await withdrawAs(stage, 2, shown)
  await stage.database.query(
    `insert into listings.settlement (network, tx_hash, log_index, block_hash, slug, amount, observed_at, kind)
     select network, '0x01', 0, '0x02', slug, 1, now(), 'transfer' from listings.listing where slug = $1`,
    [paid],
  )
  await sweepAfter(29)
  expect(await kept()).toEqual(expect.arrayContaining([gone, paid, draws, shown]))
  await sweepAfter(31)
  expect(await kept()).not.toContain(gone)
  expect(await kept()).toEqual(expect.arrayContaining([paid, draws, shown]))
})

test('an unseen draft frees its name as soon as it is withdrawn', async () => {
  const slug = await draft('Again')
  await withdrawAs(stage, 1, slug)
  expect(await draft('Again')).toBe(slug)
})
