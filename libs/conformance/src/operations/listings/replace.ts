import { catalog, listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { act, publish } from '../../actors/provider.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { challengeV2, plain } from '../../sellers/scripted.ts'
import { eventually, liveAtScripted, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const path = (slug: string) => `/api/call/listings/${slug}`
const operation = (url: string) => ({ method: 'GET', url, name: 'Moved' })

export const replace: Register = (target) => {
  staged(target, 'a live listing moves by suspend, revise, PUT and activate, and keeps its slug', async (stage) => {
    const { provider, client, scripted, asked, word } = stage
    const { api } = provider
    const { slug } = await liveAtScripted(stage, '/before-move', `Moving ${word}`)
    const body = { category: 'crypto', operations: [operation(scripted.set('/after-move', challengeV2(asked)))] }
    refused(listings.replace, await api.put(path(slug), body), 409, 'invalid_state')
    for (const action of ['suspend', 'revise']) accepted(listings.setStatus, await act(api, slug, action))
    const { listing } = accepted(listings.replace, await api.put(path(slug), body))
    expect(listing).toMatchObject({ slug, status: 'draft', category: 'crypto', operations: [{ name: 'Moved' }] })
    accepted(listings.setStatus, await act(api, slug, 'activate'))
    await eventually(async () => {
      const entry = accepted(catalog.entry, await client.get(`/api/calls/${slug}`))
      expect(entry).toMatchObject({ category: 'crypto', endpoints: [{ url: scripted.url('/after-move') }] })
    })
  })

  staged(target, '422: the endpoints are probed like those of a new listing', async (stage) => {
    const { provider, devnet, scripted, asked, word } = stage
    const given = { name: `Tried ${word}`, urls: [scripted.set('/tried', challengeV2(asked))] }
    const { slug } = await publish(provider.api, devnet, provider.account, given)
    const put = (url: string) => provider.api.put(path(slug), { category: 'data', operations: [operation(url)] })
    const free = scripted.set('/tried-free', plain)
    refused(listings.replace, await put(free), 422, 'no_usable_challenge', 'operations.0.url')
    const mixed = scripted.set('/tried-mixed', challengeV2(asked, { ...asked, payTo: newAccount().address }))
    refused(listings.replace, await put(mixed), 422, 'offer_avoids_splitter', 'operations.0.url')
  })

  staged(target, '404 not_found: unknown, or not the credential’s', async ({ visitor, weather, scripted }) => {
    const body = { category: 'data', operations: [operation(scripted.url('/tried'))] }
    for (const slug of ['nobody-has-this', weather.slug]) {
      refused(listings.replace, await visitor.api.put(path(slug), body), 404, 'not_found')
    }
  })

  staged(target, '400 names the field', async ({ provider, draft, scripted }) => {
    const one = operation(scripted.url('/tried'))
    for (const [body, field] of [
      [{ operations: [one] }, 'category'],
      [{ category: 'data', operations: [] }, 'operations'],
      [{ category: 'data', operations: [one, one] }, 'operations.1.url'],
      [{ category: 'data', operations: [one], name: 'A name' }, 'name'],
    ] as const) {
      refused(listings.replace, await provider.api.put(path(draft.slug), body), 400, 'invalid_request', field)
    }
  })

  test('401 unauthorized: without a credential', async () => {
    refused(listings.replace, await new Client(target().baseUrl).put(path('a'), {}), 401, 'unauthorized')
  })
}
