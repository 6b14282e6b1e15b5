import { type AddressActivity, catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS, MOST_BUCKETS, RANGES } from '../../expectations/specification.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

export const addressActivity: Register = (target) => {
  const get = (address: string, query = '') => new Client(target().baseUrl).get(`/api/call/activity/${address}${query}`)
  const read = async (address: string, query = ''): Promise<AddressActivity> =>
    accepted(catalog.addressActivity, await get(address, query))

  test('an address without settlements has no role and sums of zero', async () => {
    const { address } = newAccount()
    const answer = await read(address)
    expectFields(answer, FIELDS.addressActivity)
    expect(answer).toMatchObject({
      address,
      role: 'none',
      totals: { paid: { calls: 0, volumeUsd: '0' }, received: { calls: 0, volumeUsd: '0' } },
      topListings: [],
      items: [],
      nextCursor: null,
    })
  })

  test.each(RANGES)('%s: the buckets cover that range', async (range) => {
    const { buckets } = await read(newAccount().address, `?range=${range}`)
    expect([MOST_BUCKETS[range], MOST_BUCKETS[range] + 1]).toContain(buckets.length)
  })

  staged(target, 'shows a payer’s side', async ({ payer, weather, rates, settled }) => {
    const answer = await read(payer.address)
    for (const item of answer.items) expectFields(item, FIELDS.activityItem)
    expect(answer).toMatchObject({
      address: payer.address,
      role: 'payer',
      totals: {
        paid: {
          calls: 3,
          volumeUsd: '0.05',
          transfers: { count: 0, volumeUsd: '0' },
          surviving: { count: 3, volumeUsd: '0.05' },
        },
        received: { calls: 0, volumeUsd: '0' },
      },
    })
    expect(answer.items.map(({ txHash }) => txHash)).toEqual(settled.toReversed())
    expect(answer.topListings.map(({ ref }) => ref).sort()).toEqual([weather.slug, rates.slug].sort())
    expect(answer.buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(3)
  })

  staged(target, 'shows a recipient’s side, requested in lower case', async ({ splitter }) => {
    const answer = await read(splitter.splitterAddress.toLowerCase())
    expect(answer).toMatchObject({
      address: splitter.splitterAddress,
      role: 'recipient',
      totals: { paid: { calls: 0, volumeUsd: '0' }, received: { calls: 3, volumeUsd: '0.05' } },
    })
  })

  test.each([
    ['an address that is none', 'payer', '', 'address'],
    ['an unknown range', newAccount().address, '?range=1h', 'range'],
    ['a cursor of our own making', newAccount().address, '?cursor=abc', 'cursor'],
    ['an unknown parameter', newAccount().address, '?limit=1', 'limit'],
  ])('400 names the field: %s', async (_what, address, query, field) => {
    refused(catalog.addressActivity, await get(address, query), 400, 'invalid_request', field)
  })
}
