import { catalog, listings } from '@callboard/contract'
import { expect } from 'vitest'
import { Client } from '../../actors/client.ts'
import { act } from '../../actors/provider.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { eventually, liveAtScripted, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const path = (slug: string, query = '') => `/api/call/listings/${slug}/visibility${query}`

export const visibility: Register = (target) => {
  /** Why each result does not show a listing, or `shown`. */
  const seen = async (api: Client, slug: string, query?: string) => {
    const { results } = accepted(listings.visibility, await api.get(path(slug, query)))
    return Object.fromEntries(
      results.map(({ result, shown, reasons }) => [result, shown ? 'shown' : reasons.map(({ code }) => code).join()]),
    )
  }

  staged(target, 'a draft is in no result, and the reason says how to activate it', async ({ provider, draft }) => {
    const { results, status } = accepted(listings.visibility, await provider.api.get(path(draft.slug)))
    expect(status).toBe('draft')
    expect(results.length).toBeGreaterThan(3)
    for (const { shown, place, reasons } of results) {
      expect([shown, place]).toEqual([false, null])
      expect(reasons).toMatchObject([{ code: 'draft', mend: expect.stringContaining('activate'), deadline: null }])
    }
  })

  staged(target, 'a live unverified listing is shown in unverified results; a suspended one nowhere', async (stage) => {
    const { provider, word } = stage
    const { slug } = await liveAtScripted(stage, '/visible', `Visible ${word}`)
    const expected = {
      discovery: 'not_verified',
      'discovery?includeUnverified=true': 'shown',
      services: 'not_verified',
      'services?includeUnverified=true': 'shown',
      calls: 'shown',
    }
    await eventually(async () => expect(await seen(provider.api, slug)).toEqual(expected))
    const answer = await stage.client.get(`/api/call/discovery?includeUnverified=true&q=Visible+${word}`)
    const { items } = accepted(catalog.discovery, answer)
    const { results } = accepted(listings.visibility, await provider.api.get(path(slug, `?q=Visible+${word}`)))
    const place = results.find(({ result }) => result === 'discovery?includeUnverified=true')?.place
    expect(items[(place ?? 0) - 1]?.ref).toBe(slug)
    expect(await seen(provider.api, slug, '?q=zxqvwk')).toMatchObject({
      discovery: 'not_verified',
      calls: 'not_matched',
    })
    await act(provider.api, slug, 'suspend')
    await eventually(async () =>
      expect(new Set(Object.values(await seen(provider.api, slug)))).toEqual(new Set(['suspended'])),
    )
  })

  staged(target, '404 not_found: unknown, or not the credential’s', async ({ visitor, weather }) => {
    for (const slug of ['nobody-has-this', weather.slug])
      refused(listings.visibility, await visitor.api.get(path(slug)), 404, 'not_found')
  })

  staged(target, '400 names the field', async ({ provider, weather }) => {
    const answer = await provider.api.get(path(weather.slug, `?q=${'x'.repeat(201)}`))
    refused(listings.visibility, answer, 400, 'invalid_request', 'q')
  })

  staged(target, '401 without a credential', async ({ weather }) => {
    const answer = await new Client(target().baseUrl).get(path(weather.slug))
    refused(listings.visibility, answer, 401, 'unauthorized')
  })
}
