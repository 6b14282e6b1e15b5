import { type OutputOf, listings as operations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { DAY_MS, isoTime, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { named, rowsOf } from './mirror-rows.ts'
import { act, goLive, openStage, type Stage, verify, withdrawAs } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

type Page = OutputOf<typeof operations.waiting>
const page = async (limit = 200, after?: Page['next']): Promise<Page> =>
  granted(await stage.services.call(operations.waiting, { limit, after }))
const slugs = async () => (await page()).waiting.map(({ slug }) => slug)

async function asked(index: number, name: string): Promise<string> {
  const slug = await goLive(stage, index, name)
  stage.clock.advance(MINUTE_MS)
  granted(await act(stage, index, slug, 'request_verification'))
  return slug
}

const gauge = async (name: string) => {
  const text = await (await fetch(`http://127.0.0.1:${stage.services.adminPort}/metrics`)).text()
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
}

test('what waits for the operator is listed and counted, oldest first, until it is decided or over', async () => {
  expect(await page()).toEqual({ waiting: [] })
  expect(await gauge('callboard_listings_review_oldest_seconds')).toBe(0)
  await goLive(stage, 1, 'Unasked')
  const first = await asked(1, 'First')
  const second = await asked(2, 'Second')
  stage.provider.set('/other-payee', { payTo: wallet(5).address })
  await named(stage, 'one', [{ url: stage.provider.url('/other-payee') }])
  const state = async () => (await rowsOf(stage, stage.provider.url('/other-payee')))[0]
  await expect.poll(async () => (await state())?.state, { timeout: 20_000 }).toBe('payable')
  stage.provider.set('/other-payee', { payTo: wallet(6).address })
  stage.clock.advance(DAY_MS)
  await expect.poll(async () => (await state())?.state, { timeout: 20_000 }).toBe('suspended')
  const { slug: row = '' } = (await state()) ?? {}

  const { waiting } = await page()
  expect(waiting.map(({ slug, asks }) => [slug, asks])).toEqual([
    [first, 'verification'],
    [second, 'verification'],
    [row, 'terms'],
  ])
  expect(waiting.map(({ since }) => since)).toEqual(waiting.map(({ since }) => since).toSorted())
  expect(await gauge('callboard_listings_reviews_waiting')).toBe(3)
  expect(await gauge('callboard_listings_review_oldest_seconds')).toBeGreaterThanOrEqual(DAY_MS / 1_000)

  granted(await verify(stage, first))
  granted(await withdrawAs(stage, 2, second))
  expect(await slugs()).toEqual([row])
  granted(
    await stage.services.call(operations.reviewMirrored, { slug: row, verdict: 'suspend', reason: 'It is fraud.' }),
  )
  expect(await slugs()).toEqual([])
})

test('every one of many is listed once, also where several began to wait at once', async () => {
  await stage.database.query(
    `
    insert into listings.mirrored (slug, version, method, url, resource, origin, site, state, state_since, claim,
      created_at, updated_at)
    select 'many-' || n, 1, 'GET', 'https://many.example/' || n, 'https://many.example/' || n, 'https://many.example',
      'many.example', 'suspended', $1::timestamptz + make_interval(secs => n / 3), '{"title":"Many"}', $1, $1
    from generate_series(1, 20) n`,
    [isoTime(stage.clock.now())],
  )
  const read: string[] = []
  let after: Page['next']
  do {
    const { waiting, next } = await page(7, after)
    read.push(...waiting.map(({ slug }) => slug))
    after = next
  } while (after)
  expect(new Set(read).size).toBe(20)
  expect(read).toHaveLength(20)
})
