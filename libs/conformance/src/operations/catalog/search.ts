import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { expectService } from '../../expectations/service-shape.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/calls/search'

export const search: Register = (target) => {
  const read = async (query = '') =>
    accepted(catalog.search, await new Client(target().baseUrl).get(`${PATH}${query}`)).calls

  test('answers without a query', async () => {
    expect((await read()).length).toBeLessThanOrEqual(20)
  })

  staged(target, 'finds published listings, reviewed or not, in the services shape', async ({ word, rates }) => {
    const found = await read(`?q=${word}`)
    expect(found).toHaveLength(3)
    found.forEach(expectService)
    expect((await read(`?q=rates%20${word}`)).map(({ id }) => id)).toEqual([rates.slug])
  })

  staged(target, 'does not return a draft', async ({ word, draft }) => {
    expect((await read(`?q=draft%20${word}`)).map(({ id }) => id)).not.toContain(draft.slug)
  })

  staged(target, 'limit caps the number of results', async ({ word }) => {
    expect(await read(`?q=${word}&limit=1`)).toHaveLength(1)
  })

  test.each([
    ['q of 201 characters', `q=${'a'.repeat(201)}`, 'q'],
    ['limit 0', 'limit=0', 'limit'],
    ['limit 101', 'limit=101', 'limit'],
    ['an unknown parameter', 'category=ai', 'category'],
  ])('400 names the field: %s', async (_what, query, field) => {
    const answer = await new Client(target().baseUrl).get(`${PATH}?${query}`)
    refused(catalog.search, answer, 400, 'invalid_request', field)
  })
}
