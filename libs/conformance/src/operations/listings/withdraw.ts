import { listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { publish } from '../../actors/provider.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { challengeV2 } from '../../sellers/scripted.ts'
import { eventually, liveAtScripted, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const path = (slug: string) => `/api/call/listings/${slug}`

export const withdraw: Register = (target) => {
  staged(target, 'after the 204 the listing is gone for its owner and from the directory', async (stage) => {
    const { provider, client, word } = stage
    const { slug } = await liveAtScripted(stage, '/withdrawn', `Withdrawn ${word}`)
    const published = async () => (await client.get(`/api/calls/${slug}`)).status
    await eventually(async () => expect(await published()).toBe(200))
    for (let time = 0; time < 2; time++) accepted(listings.withdraw, await provider.api.delete(path(slug)))
    await eventually(async () => expect(await published()).toBe(404))
    const { listings: own } = accepted(listings.mine, await provider.api.get('/api/call/listings/mine?limit=100'))
    expect(own.map((listing) => listing.slug)).not.toContain(slug)
    refused(listings.edit, await provider.api.patch(path(slug), { description: 'Back.' }), 404, 'not_found')
    refused(listings.resync, await client.post(`${path(slug)}/resync`, undefined), 404, 'not_found')
  })

  staged(target, 'the name of a withdrawn draft is free at once', async (stage) => {
    const { provider, devnet, scripted, asked, word } = stage
    const given = { name: `Sketch ${word}`, urls: [scripted.set('/sketch', challengeV2(asked))] }
    const { slug } = await publish(provider.api, devnet, provider.account, given)
    accepted(listings.withdraw, await provider.api.delete(path(slug)))
    expect((await publish(provider.api, devnet, provider.account, given)).slug).toBe(slug)
  })

  staged(target, '404 not_found: unknown, or not the credential’s', async ({ visitor, weather }) => {
    for (const slug of ['nobody-has-this', weather.slug]) {
      refused(listings.withdraw, await visitor.api.delete(path(slug)), 404, 'not_found')
    }
  })

  staged(target, '400 names the field', async ({ provider }) => {
    refused(listings.withdraw, await provider.api.delete(path('Not-A-Slug')), 400, 'invalid_request', 'slug')
    refused(listings.withdraw, await provider.api.delete(`${path('a')}?why=b`), 400, 'invalid_request', 'why')
  })

  test('401 unauthorized: without a credential', async () => {
    refused(listings.withdraw, await new Client(target().baseUrl).delete(path('a')), 401, 'unauthorized')
  })

  staged(target, '401 unauthorized: a browser session is not accepted', async ({ provider }) => {
    refused(listings.withdraw, await provider.session.delete(path('a')), 401, 'unauthorized')
  })
}
