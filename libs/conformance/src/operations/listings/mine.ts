import { listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { eventually, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/listings/mine'

export const mine: Register = (target) => {
  staged(
    target,
    'lists the profile’s listings in every state, and no other profile’s',
    async ({ provider, visitor, ...stage }) => {
      const { listings: own } = accepted(listings.mine, await provider.api.get(`${PATH}?limit=100`))
      const states = Object.fromEntries(
        own.map(({ slug, status, verification }) => [slug, `${status} ${verification}`]),
      )
      expect(states).toMatchObject({
        [stage.weather.slug]: 'live none',
        [stage.rates.slug]: 'live none',
        [stage.translate.slug]: 'live requested',
        [stage.draft.slug]: 'draft none',
      })
      expect(accepted(listings.mine, await visitor.api.get(PATH)).listings).toEqual([])
    },
  )

  staged(
    target,
    'each has its liveness, and the calls and revenue of its own settlements',
    async ({ provider, weather, rates }) => {
      await eventually(async () => {
        const { listings: own } = accepted(listings.mine, await provider.api.get(`${PATH}?limit=100`))
        const bySlug = new Map(own.map((listing) => [listing.slug, listing]))
        expect(bySlug.get(weather.slug)).toMatchObject({
          calls: { total: 2, last7d: 2 },
          revenue: { amountUsd: '0.02', last7dUsd: '0.02' },
          transfers: { total: 0, amountUsd: '0' },
          suspendedReason: null,
          liveness: { checks7d: expect.any(Number) },
        })
        expect(bySlug.get(rates.slug)).toMatchObject({ calls: { total: 1 }, revenue: { amountUsd: '0.03' } })
      })
    },
  )

  staged(target, 'pages list every listing once, oldest first', async ({ provider, weather, rates }) => {
    const slugs: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page = accepted(listings.mine, await provider.api.get(`${PATH}?limit=2${query}`))
      expect(page.listings.length).toBeLessThanOrEqual(2)
      slugs.push(...page.listings.map(({ slug }) => slug))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(new Set(slugs).size).toBe(slugs.length)
    expect(slugs.indexOf(weather.slug)).toBeLessThan(slugs.indexOf(rates.slug))
  })

  staged(target, '400 names the field', async ({ provider }) => {
    for (const [query, field] of [
      ['status=live', 'status'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['cursor=abc', 'cursor'],
    ] as const) {
      refused(listings.mine, await provider.api.get(`${PATH}?${query}`), 400, 'invalid_request', field)
    }
  })

  test.each([
    ['no credential', {}],
    ['a key that was never issued', { authorization: `Bearer cb_key_${'a'.repeat(43)}` }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['an empty credential', { authorization: 'Bearer ' }],
  ])('401 unauthorized: %s', async (_what, headers) => {
    refused(listings.mine, await new Client(target().baseUrl, headers).get(PATH), 401, 'unauthorized')
  })

  staged(target, '401 unauthorized: a browser session is not accepted', async ({ provider }) => {
    refused(listings.mine, await provider.session.get(PATH), 401, 'unauthorized')
  })
}
