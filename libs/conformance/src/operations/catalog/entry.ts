import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { expectServiceParts } from '../../expectations/service-shape.ts'
import { FIELDS } from '../../expectations/specification.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

export const entry: Register = (target) => {
  const get = (id: string) => new Client(target().baseUrl).get(`/api/calls/${id}`)

  staged(target, 'returns the service with everything needed to build a call', async ({ rates }) => {
    const found = accepted(catalog.entry, await get(rates.slug))
    const beside = ['week', 'offerChanges', 'recentSettlements', 'samePayee']
    expectFields(found, [...FIELDS.service, 'listedAt', 'requests', ...beside])
    expectServiceParts(found)
    const [operation] = rates.operations
    expect(found).toMatchObject({ id: rates.slug, listedAt: rates.listedAt })
    const { method, url, price } = { ...operation }
    expect(found.requests).toEqual([expect.objectContaining({ method, url })])
    expect(found.requests[0]).toMatchObject({
      offers: { stored: { price }, differences: [] },
      howToPay: {
        curl: expect.stringContaining(`-X ${method} '${url}`),
        cli: expect.stringContaining('callboard pay'),
      },
    })
    expect(found.week).toHaveLength(7)
  })

  staged(target, '404 not_found: a draft is not published', async ({ draft }) => {
    refused(catalog.entry, await get(draft.slug), 404, 'not_found')
  })

  test.each([
    ['an id that no listing has', 'no-such-service-anywhere'],
    ['an id that is no slug', 'No%20Such%20Service'],
    ['an id with an encoded slash', 'a%2Fb'],
  ])('404 not_found: %s', async (_what, id) => {
    refused(catalog.entry, await get(id), 404, 'not_found')
  })

  test('400 names the field: it takes no parameters', async () => {
    refused(catalog.entry, await get('anything?full=true'), 400, 'invalid_request', 'full')
  })
}
