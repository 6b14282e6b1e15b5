import { type ActivityItem, type ActivityPage, catalog } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS, RANGES } from '../../expectations/specification.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/activity'

export const activity: Register = (target) => {
  const client = () => new Client(target().baseUrl)
  const read = async (query = ''): Promise<ActivityPage> =>
    accepted(catalog.activity, await client().get(`${PATH}${query}`))

  async function readAll(query: string): Promise<ActivityItem[]> {
    const items: ActivityItem[] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page = await read(`?${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
      items.push(...page.items)
      cursor = page.nextCursor
    }
    return items
  }

  describe('the page', () => {
    test.each(RANGES)('%s: returns its range and when it was generated', async (range) => {
      const page = await read(`?range=${range}`)
      expectFields(page, ['range', 'generatedAt', 'items', ...(page.nextCursor === undefined ? [] : ['nextCursor'])])
      expect(page.range).toBe(range)
    })

    test('the default range is 30d, and a page has at most 50 items', async () => {
      const { range, items } = await read()
      expect(range).toBe('30d')
      expect(items.length).toBeLessThanOrEqual(50)
    })

    staged(target, 'every item carries exactly the members of the specification', async (stage) => {
      const { items } = await read(`?address=${stage.payer.address}`)
      expect(items).toHaveLength(3)
      for (const item of items) {
        expectFields(item, FIELDS.activityItem)
        expectFields(item.listing, FIELDS.activityListing)
      }
    })

    staged(target, 'items are newest first, each with its amount, payer and listing', async (stage) => {
      const { weather, rates, payer, devnet, splitter, settled } = stage
      const { items } = await read(`?address=${payer.address}`)
      expect(items.map(({ txHash }) => txHash)).toEqual(settled.toReversed())
      const shared = {
        network: devnet.network,
        kind: 'call',
        payer: payer.address,
        payTo: splitter.splitterAddress,
        asset: devnet.usdc.address,
      }
      const ofWeather = { ref: weather.slug, name: weather.name, group: 'added' }
      const ofRates = { ref: rates.slug, name: rates.name, group: 'added' }
      expect(items).toMatchObject([
        { ...shared, amountUsd: '0.01', listing: ofWeather },
        { ...shared, amountUsd: '0.03', listing: ofRates },
        { ...shared, amountUsd: '0.01', listing: ofWeather },
      ])
      const blocks = items.map(({ blockNumber }) => BigInt(blockNumber))
      expect(blocks).toEqual(blocks.toSorted((a, b) => (a > b ? -1 : 1)))
    })
  })

  describe('the filters', () => {
    staged(target, 'listing selects the settlements of one listing', async ({ weather, rates, settled }) => {
      expect((await read(`?listing=${rates.slug}`)).items.map(({ txHash }) => txHash)).toEqual([settled[1]])
      expect((await read(`?listing=${weather.slug}`)).items).toHaveLength(2)
      expect((await read('?listing=nobody-has-this')).items).toEqual([])
    })

    staged(target, 'address matches payer or recipient, in any letter case', async ({ payer, splitter, visitor }) => {
      expect((await read(`?address=${payer.address.toLowerCase()}`)).items).toHaveLength(3)
      expect((await read(`?address=${splitter.splitterAddress}`)).items).toHaveLength(3)
      expect((await read(`?address=${visitor.account.address}`)).items).toEqual([])
    })

    staged(target, 'listing and address combine', async ({ payer, visitor, rates }) => {
      expect((await read(`?address=${payer.address}&listing=${rates.slug}`)).items).toHaveLength(1)
      expect((await read(`?address=${visitor.account.address}&listing=${rates.slug}`)).items).toEqual([])
    })
  })

  describe('paging', () => {
    staged(
      target,
      'ends without nextCursor, and neither skips nor repeats a settlement',
      async ({ payer, settled }) => {
        for (const limit of [1, 2, 3, 100]) {
          const items = await readAll(`address=${payer.address}&limit=${limit}`)
          expect(items.map(({ txHash }) => txHash)).toEqual(settled.toReversed())
        }
      },
    )

    staged(target, '400 names the cursor: one from another query', async ({ payer, splitter }) => {
      const { nextCursor } = await read(`?address=${payer.address}&limit=1`)
      expect(nextCursor).toBeDefined()
      const other = `?address=${splitter.splitterAddress}&limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}`
      refused(catalog.activity, await client().get(`${PATH}${other}`), 400, 'invalid_request', 'cursor')
    })
  })

  test.each([
    ['an unknown range', 'range=90d', 'range'],
    ['limit 0', 'limit=0', 'limit'],
    ['limit 101', 'limit=101', 'limit'],
    ['an address that is none', 'address=0x1234', 'address'],
    ['a cursor of our own making', 'cursor=abc', 'cursor'],
    ['an unknown parameter', 'payer=a', 'payer'],
  ])('400 names the field: %s', async (_what, query, field) => {
    refused(catalog.activity, await client().get(`${PATH}?${query}`), 400, 'invalid_request', field)
  })
}
