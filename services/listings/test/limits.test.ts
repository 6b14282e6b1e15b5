import { MAX_MESSAGE_BYTES } from '@callboard/bus'
import { listings as operations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyOf, openStage, publishAs, type Stage, splitterOf, withdrawAs } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ LISTINGS_PER_OWNER: '3', LISTINGS_PER_SITE: '5' })
  granted(await publish(5, 'model'))
})
afterAll(() => stage?.close())

/** Publishes a draft that pays its own splitter, or one that still pays another address. */
async function publish(index: number, name: string, paysItself = true) {
  const path = `/${name}`
  const { splitterAddress } = await splitterOf(stage, index)
  stage.provider.set(path, { payTo: paysItself ? splitterAddress : wallet(9).address })
  return publishAs(stage, index, { name, urls: [stage.provider.url(path)] })
}

describe('the cap', () => {
  test('409 listing_limit: per owner, drafts included, even for concurrent ones; a withdrawn one frees its place', async () => {
    for (const name of ['one', 'two']) granted(await publish(1, name))
    const both = await Promise.all([publish(1, 'three'), publish(1, 'four')])
    expect(both.filter((answer) => 'refusal' in answer)).toMatchObject([
      { refusal: 'listing_limit', details: { scope: 'owner', limit: 3 } },
    ])
    granted(await withdrawAs(stage, 1, 'one'))
    granted(await publish(1, 'five'))
  })

  test('409 listing_limit: per site, over all its owners; drafts of third parties do not use its places', async () => {
    for (const [index, name] of [
      [3, 'x1'],
      [3, 'x2'],
      [3, 'x3'],
      [4, 'x4'],
      [4, 'x5'],
    ] as const) {
      granted(await publish(index, name, false))
    }
    expect(await publish(4, 'x6', false)).toMatchObject({ refusal: 'listing_limit', details: { scope: 'site' } })
    granted(await publish(2, 'six'))
    expect(await publish(2, 'eight')).toMatchObject({
      refusal: 'listing_limit',
      field: 'operations.0.url',
      details: { scope: 'site', limit: 5 },
    })
  })
})

describe('the list of an owner', () => {
  const read = async (limit: number) => {
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const page = granted(await stage.services.call(operations.mine, { limit, cursor }, { caller: keyOf(5) }))
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MAX_MESSAGE_BYTES)
      pages.push(page.listings.map(({ slug }) => slug))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    return pages
  }

  test('is paged by count and by bytes, and holds every listing once', async () => {
    // Larger than any published listing, so that bytes end a page before its count does.
    await stage.database.query(
      `insert into listings.listing
       select (jsonb_populate_record(one, jsonb_build_object(
         'slug', 'copy-' || n, 'description', repeat('é', 1000),
         'operations', jsonb_build_array(one.operations -> 0 || jsonb_build_object('description', repeat('é', 60000)))))).*
       from listings.listing one, generate_series(1, 24) n where slug = 'model'`,
    )
    const [all, few] = [await read(100), await read(7)]
    expect(all.length).toBeGreaterThan(1)
    expect(few.every((page) => page.length <= 7)).toBe(true)
    const expected = ['model', ...Array.from({ length: 24 }, (_, n) => `copy-${n + 1}`)].sort()
    expect([all.flat().sort(), few.flat().sort()]).toEqual([expected, expected])
  })

  test('400 invalid_request: a cursor that is not from this list', async () => {
    for (const cursor of ['a', 'bnVsbA', Buffer.from('["other",1,"a"]').toString('base64url')]) {
      expect(await stage.services.call(operations.mine, { limit: 5, cursor }, { caller: keyOf(5) })).toMatchObject({
        refusal: 'invalid_request',
        field: 'cursor',
      })
    }
  })
})
