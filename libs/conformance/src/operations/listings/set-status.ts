import { listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { fund, newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { act, deploySplitter, publish, splitterOf } from '../../actors/provider.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { challengeV2, plain } from '../../sellers/scripted.ts'
import { eventually, requirementOf, type Stage, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

export const setStatus: Register = (target) => {
  const ok = async (api: Client, slug: string, action: string) =>
    accepted(listings.setStatus, await act(api, slug, action))

  staged(
    target,
    'draft → live → requested → taken down → draft, and the transitions that each state refuses',
    async (stage) => {
      const { provider, devnet, scripted, asked, word } = stage
      const { api, account } = provider
      const no = async (slug: string, actions: readonly string[]) => {
        for (const action of actions) refused(listings.setStatus, await act(api, slug, action), 409, 'invalid_state')
      }
      const entry = async (slug: string) => (await stage.client.get(`/api/calls/${slug}`)).status

      const urls = [scripted.set('/life', challengeV2(asked))]
      const { slug } = await publish(api, devnet, account, { name: `Life ${word}`, urls })
      await no(slug, ['request_verification', 'suspend', 'revise'])

      const live = await ok(api, slug, 'activate')
      expect(live).toMatchObject({ ok: true, slug, status: 'live', verification: 'none' })
      expect(live.listing).toMatchObject({ status: 'live', listedAt: expect.any(String), splitter: { deployed: true } })
      await eventually(async () => expect(await entry(slug)).toBe(200))
      await no(slug, ['activate', 'revise'])

      expect(await ok(api, slug, 'request_verification')).toMatchObject({ status: 'live', verification: 'requested' })
      expect(await entry(slug)).toBe(200)

      expect((await ok(api, slug, 'suspend')).status).not.toBe('live')
      await eventually(async () => expect(await entry(slug)).toBe(404))
      await no(slug, ['activate', 'request_verification', 'suspend'])
      expect((await ok(api, slug, 'revise')).status).toBe('draft')
    },
  )

  staged(target, '422 splitter_not_deployed: until the provider’s wallet has deployed it', async (stage) => {
    const { devnet, scripted, word, visitor } = stage
    const { api } = visitor
    const wallet = newAccount()
    await fund(devnet, wallet.address, { wei: 10n ** 17n })
    const splitter = await splitterOf(api, devnet, wallet.address)
    const urls = [scripted.set('/undeployed', challengeV2(requirementOf(devnet, splitter.splitterAddress, '10000')))]
    const { slug } = await publish(api, devnet, wallet, { name: `Undeployed ${word}`, urls })
    refused(listings.setStatus, await act(api, slug, 'activate'), 422, 'splitter_not_deployed')
    await deploySplitter(devnet, wallet, splitter)
    expect((await ok(api, slug, 'activate')).status).toBe('live')
  })

  staged(target, '422 no_usable_challenge: the endpoint asks for no payment, or pays another payee', async (stage) => {
    const { provider, devnet, scripted, asked, word } = stage
    const { api, account } = provider
    const urls = [scripted.set('/changed', challengeV2(asked))]
    const { slug } = await publish(api, devnet, account, { name: `Changed ${word}`, urls })
    for (const behaviour of [plain, challengeV2({ ...asked, payTo: newAccount().address })]) {
      scripted.set('/changed', behaviour)
      const answer = await act(api, slug, 'activate')
      refused(listings.setStatus, answer, 422, 'no_usable_challenge', 'operations.0.url')
    }
    scripted.set('/changed', challengeV2(asked))
    expect((await ok(api, slug, 'activate')).status).toBe('live')
  })

  staged(target, '422 offer_avoids_splitter: a payment option that bypasses the splitter', async (stage) => {
    const { provider, devnet, scripted, asked, word } = stage
    const { api, account } = provider
    const urls = [scripted.set('/aside', challengeV2(asked))]
    const { slug } = await publish(api, devnet, account, { name: `Aside ${word}`, urls })
    const own = { ...asked, payTo: newAccount().address }
    scripted.set('/aside', challengeV2(own, asked))
    refused(listings.setStatus, await act(api, slug, 'activate'), 422, 'offer_avoids_splitter', 'operations.0.url')
  })

  staged(target, '404 not_found: unknown, or not the credential’s', async ({ provider, visitor, weather }: Stage) => {
    refused(listings.setStatus, await act(provider.api, 'nobody-has-this', 'suspend'), 404, 'not_found')
    refused(listings.setStatus, await act(visitor.api, weather.slug, 'suspend'), 404, 'not_found')
  })

  staged(target, '400 names the field', async ({ provider, weather }) => {
    const path = `/api/call/listings/${weather.slug}/status`
    for (const [body, field] of [
      [{}, 'action'],
      [{ action: 'verify' }, 'action'],
      [{ action: 'suspend', reason: 'a' }, 'reason'],
    ] as const) {
      refused(listings.setStatus, await provider.api.post(path, body), 400, 'invalid_request', field)
    }
    refused(listings.setStatus, await act(provider.api, 'Not-A-Slug', 'suspend'), 400, 'invalid_request', 'slug')
  })

  test('401 unauthorized: without a credential', async () => {
    refused(listings.setStatus, await act(new Client(target().baseUrl), 'a', 'suspend'), 401, 'unauthorized')
  })
}
