import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS, MOST_BUCKETS, RANGES } from '../../expectations/specification.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/stats'

export const stats: Register = (target) => {
  const get = (query = '') => new Client(target().baseUrl).get(`${PATH}${query}`)

  test.each(RANGES)('%s: carries the members of the specification, and how far each chain is read', async (range) => {
    const answer = accepted(catalog.stats, await get(`?range=${range}`))
    expectFields(answer, [...FIELDS.stats, 'chains', 'pendingChanges'])
    expect(answer.range).toBe(range)
    expectFields(answer.concentration, ['topPayerTxShare'])
    expectFields(answer.totals, [
      ...['calls', 'volumeUsd', 'payers', 'payees', 'listings', 'dust', 'transfers', 'shared', 'surviving'],
    ])
    expect(answer.totals.surviving.count).toBeLessThanOrEqual(answer.totals.calls)
  })

  test.each(RANGES)('%s: the buckets are consecutive, and their calls add up to the total', async (range) => {
    const { buckets, totals } = accepted(catalog.stats, await get(`?range=${range}`))
    expect([MOST_BUCKETS[range], MOST_BUCKETS[range] + 1]).toContain(buckets.length)
    const starts = buckets.map(({ start }) => Date.parse(start))
    expect(new Set(starts.slice(1).map((start, at) => start - (starts[at] ?? 0))).size).toBe(1)
    expect(buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(totals.calls)
  })

  test('the default range is 30d', async () => {
    expect(accepted(catalog.stats, await get()).range).toBe('30d')
  })

  test('the catalogue counts every listing in one group', async () => {
    const { catalogue } = accepted(catalog.stats, await get())
    expect(Object.values(catalogue.byGroup).reduce((sum, count) => sum + count, 0)).toBe(catalogue.listings)
    expect(catalogue.verified).toBeLessThanOrEqual(catalogue.listings)
  })

  test.each([
    ['an unknown range', 'range=1y', 'range'],
    ['an unknown parameter', 'listing=a', 'listing'],
  ])('400 names the field: %s', async (_what, query, field) => {
    refused(catalog.stats, await get(`?${query}`), 400, 'invalid_request', field)
  })
}
