import { x402Facilitator } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { eventually, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/x402/discovery/search'

export const discoverySearch: Register = (target) => {
  const get = (query: string) => new Client(target().baseUrl).get(`${PATH}?${query}`)
  const read = async (query: string) => accepted(x402Facilitator.discoverySearch, await get(query))

  test('returns the envelope even if nothing is found', async () => {
    const body = await read('query=xylophonequartz')
    expectFields(body, ['x402Version', 'resources', 'partialResults', 'pagination'])
    expect(body).toEqual({
      x402Version: 2,
      resources: [],
      partialResults: false,
      pagination: { limit: 20, cursor: null },
    })
  })

  staged(target, 'finds a resource by the words of its own offer', async ({ weather, splitter }) => {
    const payTo = `payTo=${splitter.splitterAddress}`
    await eventually(async () => {
      const { resources } = await read(`query=weather&${payTo}`)
      expect(resources.map(({ resource }) => resource)).toEqual([weather.operations[0]?.url])
    })
    expect((await read(`query=weather&payTo=${newAccount().address}`)).resources).toEqual([])
    for (const other of ['type=mcp', 'scheme=upto', 'network=eip155%3A5042', 'extensions=no-such-extension']) {
      expect((await read(`query=weather&${payTo}&${other}`)).resources).toEqual([])
    }
  })

  staged(target, 'pages by cursor', async ({ splitter }) => {
    const asked = `query=weather%20rates&payTo=${splitter.splitterAddress}&limit=1`
    const first = await eventually(async () => {
      const page = await read(asked)
      expect(page.partialResults).toBe(true)
      return page
    })
    const second = await read(`${asked}&cursor=${first.pagination?.cursor}`)
    expect(second).toMatchObject({ partialResults: false, pagination: { limit: 1, cursor: null } })
    const urls = [...first.resources, ...second.resources].map(({ resource }) => resource)
    expect(new Set(urls).size).toBe(2)
    const elsewhere = await get(`query=other&limit=1&cursor=${first.pagination?.cursor}`)
    refused(x402Facilitator.discoverySearch, elsewhere, 400, 'invalid_request', 'cursor')
  })

  test.each([
    ['no query', 'limit=1', 'query'],
    ['an empty query', 'query=%20', 'query'],
    ['a query of 401 characters', `query=${'a'.repeat(401)}`, 'query'],
    ['limit 0', 'query=a&limit=0', 'limit'],
    ['limit 101', 'query=a&limit=101', 'limit'],
    ['an unknown type', 'query=a&type=ftp', 'type'],
    ['an address that is none', 'query=a&payTo=0x12', 'payTo'],
    ['a network that is no CAIP-2 id', 'query=a&network=base', 'network'],
    ['a cursor of nowhere', 'query=a&cursor=nonsense', 'cursor'],
    ['an unknown parameter', 'query=a&maxUsdPrice=1', 'maxUsdPrice'],
  ])('400 names the field: %s', async (_what, query, field) => {
    refused(x402Facilitator.discoverySearch, await get(query), 400, 'invalid_request', field)
  })
}
