import { listings as operations } from '@callboard/contract'
import { type Devnet, openDevnet } from '@callboard/embedded'
import { artifacts, runtimeCode, SPLITTER_FEE_BP, splitterImplementation } from '@callboard/evm'
import { granted, signedMessage, wallet } from '@callboard/testkit'
import { createTestClient, encodeDeployData, http, publicActions, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proberStandIn } from './prober-stand-in.ts'
import type { Asks } from './provider.ts'
import { act, goLive, keyOf, mineOf, openStage, publishAs, type Stage, send, splitterOf } from './stage.ts'

const BASE = 'eip155:8453'
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

let base: Devnet
let stage: Stage
let splitter: string

beforeAll(async () => {
  base = await openDevnet({ chainId: 8453 })
  // Base's own token must be at its own address.
  const chain = createTestClient({ mode: 'anvil', transport: http(base.rpcUrl) }).extend(publicActions)
  const bytecode = await chain.getCode({ address: base.usdc.address })
  if (!bytecode) throw new Error('The token has no code')
  await chain.setCode({ address: BASE_USDC, bytecode })
  // And the factory must be one deployed for that token.
  const { splitterFactory, treasury } = base
  const self = splitterImplementation(splitterFactory)
  const immutables = { usdc: BASE_USDC, treasury, feeBp: toHex(SPLITTER_FEE_BP), self } as const
  await chain.setCode({ address: self, bytecode: runtimeCode(artifacts.feeSplitter, immutables) })
  const env = {
    RPC_URLS: JSON.stringify({ [BASE]: [base.rpcUrl] }),
    SPLITTER_FACTORIES: JSON.stringify({ [BASE]: splitterFactory }),
    SPLITTER_TREASURIES: JSON.stringify({ [BASE]: treasury }),
  }
  stage = await openStage(env, ({ network, usdc }) =>
    proberStandIn([
      { network, asset: usdc.address, name: usdc.name, version: usdc.version },
      { network: BASE, asset: BASE_USDC, name: 'USD Coin', version: '2' },
    ]),
  )
  splitter = (await statesOf(1))['eip155:31337']?.splitterAddress ?? ''
  const deploy = (await statesOf(1))['eip155:31337']?.deploy
  if (deploy) await send(stage, 1, deploy)
})
afterAll(async () => {
  await stage?.close()
  await base?.stop()
})

async function statesOf(index: number) {
  await splitterOf(stage, index)
  const caller = { kind: 'api_key', owner: wallet(index).address, keyId: 'key' } as const
  const asked = stage.services.call(operations.splitters, { wallet: wallet(index).address }, { caller })
  const { networkStates } = granted(await asked)
  return Object.fromEntries(networkStates.map((state) => [state.network, state]))
}

const onBase = (payTo: string): Asks => ({ network: BASE, asset: BASE_USDC, domain: 'USD Coin', payTo })

test('an offer on a second chain counts only once the listing’s own splitter is deployed there', async () => {
  const there = (await statesOf(1))[BASE]
  if (!there) throw new Error('Base takes no self-listings')
  stage.provider.set('/both', { payTo: splitter, network: 'eip155:31337', beside: [onBase(there.splitterAddress)] })
  const urls = [stage.provider.url('/both')]
  const { listing } = granted(await publishAs(stage, 1, { name: 'Both', urls, network: 'eip155:31337' }))
  expect(await act(stage, 1, listing.slug, 'activate')).toMatchObject({
    refusal: 'offer_avoids_splitter',
    details: { entry: { network: BASE, payTo: there.splitterAddress } },
  })
  await send({ ...stage, devnet: base }, 1, there.deploy)
  granted(await act(stage, 1, listing.slug, 'activate'))
  expect(granted(await stage.services.call(operations.resync, { slug: listing.slug })).outcome).toBe('refreshed')

  stage.provider.set('/both', { payTo: splitter, network: 'eip155:31337', beside: [onBase(wallet(1).address)] })
  expect(granted(await stage.services.call(operations.resync, { slug: listing.slug })).outcome).toBe('suspended')
  expect(await mineOf(stage, 1, listing.slug)).toMatchObject({ suspendedReason: expect.stringContaining(BASE) })
})

test('422 offer_avoids_splitter: the owner’s wallet on one of our chains where the listing is not', async () => {
  const slug = await goLive(stage, 1, 'Single')
  stage.provider.set('/single', { payTo: splitter, beside: [onBase(wallet(1).address)] })
  const urls = [stage.provider.url('/single')]
  expect(await publishAs(stage, 1, { name: 'Second', urls })).toMatchObject({
    refusal: 'offer_avoids_splitter',
    details: { entry: { network: BASE } },
  })
  expect(granted(await stage.services.call(operations.resync, { slug })).outcome).toBe('suspended')
})

test('422 invalid_signature: a contract wallet consents only on the chain on which it is to be paid', async () => {
  const payoutWallet = wallet(600).address
  const place = async (devnet: Devnet, signer: number) => {
    const chain = createTestClient({ mode: 'anvil', transport: http(devnet.rpcUrl) }).extend(publicActions)
    const args = [wallet(signer).address] as const
    const { data } = await chain.call({ data: encodeDeployData({ ...artifacts.testWallet1271, args }) })
    await chain.setCode({ address: payoutWallet, bytecode: data ?? '0x' })
  }
  // The seller's wallet on Base; on the other chain a third party was first to deploy at its address.
  await place(base, 1)
  await place(stage.devnet, 2)
  const publishOnBase = async (name: string, signer: number, chainId: number) => {
    const { nonce } = granted(await stage.services.call(operations.payoutNonce, {}, { caller: keyOf(2) }))
    const about = { purpose: 'publish' as const, nonce, baseUrl: 'http://127.0.0.1:8402', now: stage.clock.now() }
    const proof = await signedMessage(wallet(signer), about, { address: payoutWallet, chainId })
    const urls = [stage.provider.url('/both')]
    return publishAs(stage, 2, { name, urls, network: BASE, payoutWallet, proof })
  }
  expect(await publishOnBase('Pretender', 2, 31_337)).toMatchObject({
    refusal: 'invalid_signature',
    message: expect.stringContaining('Chain ID 8453'),
  })
  expect(await publishOnBase('Pretender', 2, 8453)).toMatchObject({ refusal: 'invalid_signature' })
  granted(await publishOnBase('Seller', 1, 8453))
})
