import { listings } from '@callboard/contract'
import { beforeAll, expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { askNonce, newOwner, type Owner, signSiwe } from '../../actors/owner.ts'
import { payoutProof, publication } from '../../actors/provider.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { challengeInBody, challengeMpp, challengeV1, challengeV2, plain } from '../../sellers/scripted.ts'
import { type Stage, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/listings'

export const publish: Register = (target) => {
  let publisher: Owner
  beforeAll(async () => {
    if (target().devnet) publisher = await newOwner(target())
  })

  /** A publishable body that pays out to a new wallet; the endpoint is one that already sells. */
  async function good({ devnet, weather, word }: Stage) {
    const { api } = publisher
    const wallet = newAccount()
    const urls = weather.operations.map(({ url }) => url)
    return { api, wallet, body: await publication(api, devnet, wallet, { name: `Published ${word}`, urls }) }
  }

  staged(
    target,
    '201 creates a draft with its predicted splitter and the price read from its endpoint',
    async (stage) => {
      const { devnet, word, weather } = stage
      const { api, wallet, body } = await good(stage)
      const { listing, warnings } = accepted(listings.publish, await api.post(PATH, body))
      // The endpoint pays its own provider's splitter, not that of the new wallet.
      expect(warnings).toMatchObject([{ code: 'not_paid_to_splitter', field: 'operations.0.url' }])
      expect(listing).toMatchObject({
        slug: `published-${word}`,
        status: 'draft',
        verification: 'none',
        group: 'added',
        fee: { bps: 500 },
        payoutWallet: wallet.address,
        splitter: { network: devnet.network, deployed: false },
        operations: [{ url: weather.operations[0]?.url, price: '0.01' }],
        calls: { total: 0, last7d: 0 },
        revenue: { amountUsd: '0', last7dUsd: '0' },
        listedAt: null,
      })
      expect((await stage.client.get(`/api/calls/${listing.slug}`)).status).toBe(404)
      const again = { ...body, ...(await payoutProof(api, wallet)) }
      refused(listings.publish, await api.post(PATH, again), 409, 'slug_taken', 'name')
    },
  )

  staged(target, '201 warns of a price that another listing of the payout wallet already has', async (stage) => {
    const { devnet, provider, scripted, asked, word, weather } = stage
    const urls = [scripted.set('/same-price', challengeV2(asked))]
    const body = await publication(provider.api, devnet, provider.account, { name: `Priced ${word}`, urls })
    const { warnings } = accepted(listings.publish, await provider.api.post(PATH, body))
    expect(warnings).toMatchObject([{ code: 'shared_price', field: 'operations.0.url' }])
    expect(weather.operations[0]?.price).toBe('0.01')
  })

  staged(target, '409 slug_taken: a name of another owner’s listing, in another letter case', async (stage) => {
    const { api, body } = await good(stage)
    const answer = await api.post(PATH, { ...body, name: stage.weather.name.toUpperCase() })
    refused(listings.publish, answer, 409, 'slug_taken', 'name')
  })

  staged(target, '401 invalid_signature: another wallet’s message, key, purpose or nonce', async (stage) => {
    const { api, wallet, body } = await good(stage)
    const otherWallet = newAccount()
    const name = `Forged ${stage.word}`
    const forged = [
      { ...body, name, payoutWallet: otherWallet.address },
      { ...body, name, signature: await otherWallet.signMessage({ message: body.message }) },
      {
        ...body,
        name,
        message: body.message.replace(/Nonce: (\w)/, (_, first) => `Nonce: ${first === 'x' ? 'y' : 'x'}`),
      },
      {
        ...body,
        name,
        ...(await signSiwe(wallet, await askNonce(stage.client, 'claim'), stage.devnet.chainId)),
      },
    ]
    for (const one of forged) refused(listings.publish, await api.post(PATH, one), 401, 'invalid_signature')
  })

  staged(target, '401 invalid_signature: a proof can be used for one listing only', async (stage) => {
    const { api, body } = await good(stage)
    const once = { ...body, name: `Once ${stage.word}` }
    accepted(listings.publish, await api.post(PATH, once))
    const answer = await api.post(PATH, { ...once, name: `Twice ${stage.word}` })
    refused(listings.publish, answer, 401, 'invalid_signature')
  })

  staged(target, '422 no_usable_challenge: no price, or no payment method accepted here', async (stage) => {
    const { scripted, asked, devnet, word } = stage
    const { api, wallet } = await good(stage)
    for (const [url, finding] of [
      [scripted.set('/free', plain), 'free'],
      [scripted.set('/other-protocol', challengeMpp), 'mpp'],
      [scripted.set('/other-chain', challengeV1(asked)), 'payable_elsewhere'],
      [scripted.set('/in-the-body', challengeInBody(asked)), 'offer_only_in_body'],
      [scripted.set('/for-nothing', challengeV2({ ...asked, amount: '0' })), 'not_payable'],
      [scripted.set('/account', (_req, res) => res.writeHead(401).end()), 'unauthorized'],
      [scripted.url('/nowhere'), 'not_found'],
    ] as const) {
      const body = await publication(api, devnet, wallet, { name: `Unpayable ${word}`, urls: [url] })
      const answer = await api.post(PATH, body)
      const refusal = refused(listings.publish, answer, 422, 'no_usable_challenge', 'operations.0.url')
      const { network, asset } = asked
      expect(refusal).toMatchObject({ finding, mend: expect.any(String), wanted: [{ network, asset }] })
      expect(refusal.docs).toMatch(new RegExp(`/docs/probes#${finding}$`))
    }
  })

  staged(target, '422 offer_avoids_splitter: a payment option that bypasses the splitter is named', async (stage) => {
    const { scripted, asked, devnet, provider, word } = stage
    const own = { ...asked, payTo: newAccount().address, amount: '9000' }
    const urls = [scripted.set('/beside', challengeV2(asked, own))]
    const { api, account } = provider
    const body = await publication(api, devnet, account, { name: `Beside ${word}`, urls })
    const answer = await api.post(PATH, body)
    refused(listings.publish, answer, 422, 'offer_avoids_splitter', 'operations.0.url')
    expect(answer.json()).toMatchObject({ entry: { payTo: own.payTo, amount: '9000', network: devnet.network } })
  })

  staged(target, '422 unsupported_network', async (stage) => {
    const { api, body } = await good(stage)
    const answer = await api.post(PATH, { ...body, name: `Elsewhere ${stage.word}`, network: 'eip155:5042' })
    refused(listings.publish, answer, 422, 'unsupported_network', 'network')
  })

  staged(target, '400 names the field', async (stage) => {
    const { api, body } = await good(stage)
    const [operation] = body.operations
    for (const [change, field] of [
      [{ name: undefined }, 'name'],
      [{ name: 'ab' }, 'name'],
      [{ name: '———' }, 'name'],
      [{ name: 'Turned \u202etxt' }, 'name'],
      [{ name: 'Hidden\u200bspace' }, 'name'],
      [{ description: 'Isolated \u2066text' }, 'description'],
      [{ operations: [{ ...operation, name: 'Turned \u202e' }] }, 'operations.0.name'],
      [{ name: 'a'.repeat(81) }, 'name'],
      [{ description: ' ' }, 'description'],
      [{ description: 'a'.repeat(1001) }, 'description'],
      [{ category: 'games' }, 'category'],
      [{ operations: [] }, 'operations'],
      [{ operations: [{ ...operation, method: 'HEAD' }] }, 'operations.0.method'],
      [{ operations: [{ ...operation, url: 'file:///etc/passwd' }] }, 'operations.0.url'],
      [{ operations: [{ ...operation, price: '1' }] }, 'operations.0.price'],
      [{ operations: [operation, operation] }, 'operations.1.url'],
      [{ payoutWallet: '0x1234' }, 'payoutWallet'],
      [{ network: 'base' }, 'network'],
      [{ message: '' }, 'message'],
      [{ signature: '0x1' }, 'signature'],
      [{ verified: true }, 'verified'],
    ] as const) {
      const answer = await api.post(PATH, { ...body, ...change })
      refused(listings.publish, answer, 400, 'invalid_request', field)
    }
  })

  test('401 unauthorized: without a credential', async () => {
    refused(listings.publish, await new Client(target().baseUrl).post(PATH, {}), 401, 'unauthorized')
  })

  staged(target, '401 unauthorized: a browser session is not accepted', async ({ provider }) => {
    refused(listings.publish, await provider.session.post(PATH, {}), 401, 'unauthorized')
  })
}
