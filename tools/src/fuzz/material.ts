import { randomBytes } from 'node:crypto'
import { askToLink, linkBody } from '@callboard/conformance/agent'
import { fund, newAccount } from '@callboard/conformance/chain'
import { Client } from '@callboard/conformance/client'
import { askNonce, chainIdOf, signSiwe } from '@callboard/conformance/owner'
import {
  authorize,
  facilitatorRequest,
  fromHeader,
  paymentPayload,
  type Requirement,
  toHeader,
} from '@callboard/conformance/payment'
import { deploySplitter, publication, publish, splitterOf } from '@callboard/conformance/provider'
import { challengeMpp, challengeV1, challengeV2, plain, type Scripted } from '@callboard/conformance/scripted'
import type { Devnet, Target as Instance } from '@callboard/conformance/target'
import type { Material } from './case.ts'
import type { Credentials } from './credentials.ts'
import { URLS } from './hostile.ts'

const PRICE = '1000'
const PAYMENTS = 12

const random = (bytes: number): string => randomBytes(bytes).toString('base64url')

const requirement = ({ network, usdc }: Devnet, payTo: `0x${string}`): Requirement => ({
  ...{ scheme: 'exact', network, asset: usdc.address, amount: PRICE, payTo, maxTimeoutSeconds: 120 },
  extra: { name: usdc.name, version: usdc.version },
})

/** Creates things on the instance for cases to refer to: listings, links, codes, payments, as valid as possible. */
export async function makeMaterial(
  instance: Instance & { readonly devnet: Devnet },
  { owner, agent, program }: Credentials,
  scripted: Scripted,
): Promise<Material> {
  const { devnet } = instance
  const anonymous = new Client(instance.baseUrl)
  const wallet = newAccount()
  const payer = newAccount()
  await fund(devnet, wallet.address, { wei: 10n ** 18n })
  await fund(devnet, payer.address, { usdc: 1_000_000n })
  const splitter = await splitterOf(owner.api, devnet, wallet.address)
  const asked = requirement(devnet, splitter.splitterAddress)
  const urls = [
    scripted.set('/v2', challengeV2(asked)),
    scripted.set('/v1', challengeV1(asked)),
    scripted.set('/mpp', challengeMpp),
    scripted.set('/plain', plain),
  ]
  const named = (name: string) => ({ name: `${name} ${payer.address.slice(2, 10)}`, urls: urls.slice(0, 1) })
  const draft = await publish(owner.api, devnet, wallet, named('Draft'))
  await deploySplitter(devnet, wallet, splitter)
  const live = await publish(owner.api, devnet, wallet, named('Live'))
  await owner.api.post(`/api/call/listings/${live.slug}/status`, { action: 'activate' })

  const device = await askToLink(instance, newAccount())
  const signIn = async () => signSiwe(newAccount(), await askNonce(anonymous, 'login'), await chainIdOf(instance))
  const paid = facilitatorRequest(asked, await authorize(payer, asked))
  const header = toHeader(paymentPayload(asked, paid.paymentPayload.payload))
  const relay = { publicKey: random(32), code: random(32), device: 'laptop', purpose: 'restore' }
  await anonymous.post('/api/agents/backup-relays', relay)
  const known: Readonly<Record<string, readonly unknown[]>> = {
    code: [relay.code],
    slug: [draft.slug, live.slug],
    serviceId: [live.slug],
    listing: [live.slug],
    clientId: [agent.clientId],
    client_id: [program.client_id, agent.clientId, device.client_id],
    device_code: [device.device_code],
    user_code: [device.user_code],
    device: ['laptop'],
    address: [payer.address, wallet.address],
    wallet: [wallet.address, agent.account.address],
    payTo: [splitter.splitterAddress],
    payoutWallet: [wallet.address],
    network: [devnet.network],
    asset: [devnet.usdc.address],
    url: [...urls, ...URLS],
    origin: [new URL(urls[0] ?? instance.baseUrl).origin],
    redirect_uri: program.redirect_uris,
    response_type: ['code'],
    code_challenge_method: ['S256'],
    scope: ['mcp:call', 'mcp:call router.use', 'call.publish'],
    resource: [instance.baseUrl, `${instance.baseUrl}/mcp`],
    purpose: ['login', 'link', 'publish', 'claim'],
    header: [header],
    payload: [paid.paymentPayload],
    paymentPayload: [paid.paymentPayload],
    paymentRequirements: [asked],
    grant_type: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  }
  const transfer = { ...asked, payTo: owner.account.address, amount: '1' }
  const signed = await authorize(agent.account, transfer)
  const sealed = { version: 1, enc: random(32), ciphertext: random(200) }
  await agent.api.put('/api/agents/self/backup', { ...sealed, recipient: random(32) })
  const page = (await owner.session.get(`/link?user_code=${device.user_code}`)).text
  const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const examples: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
    'listings.publish': [await publication(owner.api, devnet, wallet, named('Another'))],
    'listings.probe': urls.map((url) => ({ url, method: 'GET' })),
    'listings.edit': [{ slug: draft.slug, name: 'Edited', description: 'Edited by a case.' }],
    'oauth.createSession': [await signIn()],
    'agents.deviceAuthorization': [await linkBody(instance, newAccount())],
    'x402-facilitator.verify': [paid],
    'x402-facilitator.settle': [paid],
    'x402-facilitator.decode': [{ payload: paid.paymentPayload }, { header }],
    'agents.relayTransfer': [{ network: devnet.network, ...signed }],
    'agents.createRelay': [{ publicKey: random(32), code: random(32), device: 'laptop', purpose: 'restore' }],
    'agents.storeBackup': [{ ...sealed, recipient: random(32) }],
    'agents.sealRelay': [{ code: relay.code, ...sealed }],
    'POST /link': [{ csrf, user_code: device.user_code, decision: 'approve', scopes: 'mcp:call' }],
    'oauth.register': [
      { redirect_uris: program.redirect_uris, token_endpoint_auth_method: 'none', client_name: 'fuzz' },
    ],
  }
  const offered = (await anonymous.post('/x402/decode')).headers.get('payment-required')
  const { accepts } = fromHeader(offered) as { accepts: readonly [Requirement] }
  const payments = await Promise.all(
    Array.from({ length: PAYMENTS }, async () =>
      toHeader(paymentPayload(accepts[0], await authorize(payer, accepts[0]))),
    ),
  )
  return { payments, known: new Map(Object.entries(known)), examples: new Map(Object.entries(examples)) }
}
