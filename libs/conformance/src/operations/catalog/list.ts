import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { expectService } from '../../expectations/service-shape.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/calls/list'

export const list: Register = (target) => {
  const read = async () => accepted(catalog.list, await new Client(target().baseUrl).get(PATH)).calls

  test('every row has the services shape, and none appears twice', async () => {
    const calls = await read()
    calls.forEach(expectService)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  })

  staged(target, 'lists live listings and no drafts', async ({ weather, translate, rates, draft }) => {
    const ids = (await read()).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([weather.slug, translate.slug, rates.slug]))
    expect(ids).not.toContain(draft.slug)
  })

  test('400 names the field: it takes no parameters', async () => {
    const answer = await new Client(target().baseUrl).get(`${PATH}?limit=1`)
    refused(catalog.list, answer, 400, 'invalid_request', 'limit')
  })
}
