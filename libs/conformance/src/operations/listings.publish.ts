import { listings } from '@callboard/contract'
import { beforeAll, expect, test } from 'vitest'
import { newAccount } from '../chain.ts'
import { Client } from '../client.ts'
import { accepted, refused } from '../expectations.ts'
import { askNonce, newOwner, type Owner, signSiwe } from '../owner.ts'
import { payoutProof, publication } from '../provider.ts'
import { challengeMpp, challengeV1, plain } from '../scripted.ts'
import { type Stage, staged } from '../stage.ts'
import type { Register } from '../target.ts'

const PATH = '/api/call/listings'

export const publish: Register = (target) => {
  let publisher: Owner
  beforeAll(async () => {
    if (target().devnet) publisher = await newOwner(target())
  })

  /** A body that would be published, paying out to a new wallet; the endpoint is one that sells already. */
  async function good({ devnet, weather, word }: Stage) {
    const { api } = publisher
    const wallet = newAccount()
    const urls = weather.operations.map(({ url }) => url)
    return { api, wallet, body: await publication(api, devnet, wallet, { name: `Published ${word}`, urls }) }
  }

  staged(target, '201 a draft with its splitter predicted and its endpoint’s price read', async (stage) => {
    const { devnet, word, weather } = stage
    const { api, wallet, body } = await good(stage)
    const { listing } = accepted(listings.publish, await api.post(PATH, body))
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
  })

  staged(target, '409 slug_taken: also another owner’s, in other letters', async (stage) => {
    const { api, body } = await good(stage)
    const answer = await api.post(PATH, { ...body, name: stage.weather.name.toUpperCase() })
    refused(listings.publish, answer, 409, 'slug_taken', 'name')
  })

  staged(target, '401 invalid_signature: another wallet’s message, key, purpose or nonce', async (stage) => {
    const { api, wallet, body } = await good(stage)
    const stranger = newAccount()
    const name = `Forged ${stage.word}`
    const forged = [
      { ...body, name, payoutWallet: stranger.address },
      { ...body, name, signature: await stranger.signMessage({ message: body.message }) },
      { ...body, name, message: body.message.replace(/Nonce: \w/, 'Nonce: x') },
      {
        ...body,
        name,
        ...(await signSiwe(wallet, await askNonce(stage.client, 'claim'), stage.devnet.chainId)),
      },
    ]
    for (const one of forged) refused(listings.publish, await api.post(PATH, one), 401, 'invalid_signature')
  })

  staged(target, '401 invalid_signature: a proof publishes once', async (stage) => {
    const { api, body } = await good(stage)
    const once = { ...body, name: `Once ${stage.word}` }
    accepted(listings.publish, await api.post(PATH, once))
    const answer = await api.post(PATH, { ...once, name: `Twice ${stage.word}` })
    refused(listings.publish, answer, 401, 'invalid_signature')
  })

  staged(target, '422 no_usable_challenge: nothing to pay, or nothing that can be paid here', async (stage) => {
    const { scripted, asked, devnet, word } = stage
    const { api, wallet } = await good(stage)
    for (const url of [
      scripted.set('/free', plain),
      scripted.set('/other-protocol', challengeMpp),
      scripted.set('/other-chain', challengeV1(asked)),
      scripted.url('/nowhere'),
    ]) {
      const body = await publication(api, devnet, wallet, { name: `Unpayable ${word}`, urls: [url] })
      refused(listings.publish, await api.post(PATH, body), 422, 'no_usable_challenge', 'operations.0.url')
    }
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
