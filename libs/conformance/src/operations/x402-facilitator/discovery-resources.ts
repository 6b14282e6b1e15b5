import { x402Facilitator } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { eventually, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/x402/discovery/resources'

export const discoveryResources: Register = (target) => {
  const get = (query = '') => new Client(target().baseUrl).get(`${PATH}${query}`)
  const read = async (query = '') => accepted(x402Facilitator.discoveryResources, await get(query))

  test('returns the envelope with its pagination', async () => {
    const body = await read()
    expectFields(body, ['x402Version', 'items', 'pagination'])
    expect(body.pagination).toMatchObject({ limit: 20, offset: 0 })
  })

  staged(target, 'paid resources appear as their own offers describe them', async ({ weather, rates, splitter }) => {
    const { items, pagination } = await eventually(async () => {
      const body = await read(`?payTo=${splitter.splitterAddress}`)
      expect(body.items).toHaveLength(2)
      return body
    })
    const paid = [weather, rates].map(({ operations }) => operations[0]?.url)
    expect(items.map(({ resource }) => resource).sort()).toEqual(paid.sort())
    expect(pagination.total).toBe(2)
    expect(items.map(({ description }) => description).sort()).toEqual(['Rates', 'Weather'])
    for (const { accepts } of items) {
      expect(accepts).toEqual([expect.objectContaining({ payTo: splitter.splitterAddress })])
    }
  })

  staged(target, 'filters and pages select resources', async ({ splitter, devnet }) => {
    const payTo = `payTo=${splitter.splitterAddress.toLowerCase()}`
    const network = encodeURIComponent(devnet.network)
    expect((await read(`?${payTo}&type=http&scheme=exact&network=${network}`)).items).toHaveLength(2)
    for (const other of ['type=mcp', 'scheme=upto', 'network=eip155%3A5042', 'extensions=no-such-extension']) {
      expect((await read(`?${payTo}&${other}`)).items).toEqual([])
    }
    expect((await read(`?payTo=${newAccount().address}`)).items).toEqual([])
    const pages = [await read(`?${payTo}&limit=1`), await read(`?${payTo}&limit=1&offset=1`)]
    expect(pages.map(({ items }) => items.length)).toEqual([1, 1])
    expect(new Set(pages.flatMap(({ items }) => items.map(({ resource }) => resource))).size).toBe(2)
    expect((await read(`?${payTo}&offset=2`)).items).toEqual([])
  })

  test.each([
    ['limit 0', 'limit=0', 'limit'],
    ['limit 101', 'limit=101', 'limit'],
    ['a negative offset', 'offset=-1', 'offset'],
    ['an unknown type', 'type=ftp', 'type'],
    ['an address that is none', 'payTo=0x12', 'payTo'],
    ['a network that is no CAIP-2 id', 'network=base', 'network'],
  ])('400 names the field: %s', async (_what, query, field) => {
    refused(x402Facilitator.discoveryResources, await get(`?${query}`), 400, 'invalid_request', field)
  })
}
