import { randomBytes } from 'node:crypto'
import type { ListingRecord, NetworkState } from '@callboard/contract'
import { expect, test, vi } from 'vitest'
import { buy } from './actors/buyer.ts'
import { fund, type LocalAccount, newAccount } from './actors/chain.ts'
import { Client } from './actors/client.ts'
import { type MirroredListing, mirroredOf } from './actors/mirrored.ts'
import { newOwner, type Owner, visitorOf } from './actors/owner.ts'
import type { Requirement } from './actors/payment.ts'
import { act, deploySplitter, goLive, publish, splitterOf } from './actors/provider.ts'
import { challengeV2, type Scripted, startScripted } from './sellers/scripted.ts'
import { type Seller, startExpressSeller, startHonoSeller } from './sellers/sellers.ts'
import type { Devnet, Target, TargetOf } from './target.ts'

/** What the tests of a run share: one provider's listings at real sellers, and an agent that has paid some of them. */
export interface Stage {
  readonly target: Target
  readonly devnet: Devnet
  /** Without a credential. */
  readonly client: Client
  /** A word that only this run's listings carry. */
  readonly word: string
  readonly provider: Owner
  /** Another account, without any of the listings. */
  readonly visitor: Owner
  /** The provider's splitter, deployed. */
  readonly splitter: NetworkState
  readonly scripted: Scripted
  /** The requirement of an endpoint that pays the provider's splitter. */
  readonly asked: Requirement
  /** At `@x402/express`, GET, 0.01 USD. */
  readonly weather: ListingRecord
  /** At `@x402/express`, POST, 0.02 USD; its review is requested. */
  readonly translate: ListingRecord
  /** At `@x402/hono`, GET, 0.03 USD. */
  readonly rates: ListingRecord
  /** Never activated. */
  readonly draft: ListingRecord
  readonly payer: LocalAccount
  /** Transactions of the payer's calls, oldest first: weather, rates, weather. */
  readonly settled: readonly string[]
}

const PRICES = { weather: '10000', translate: '20000', rates: '30000', draft: '40000' } as const

const stages = new Map<string, Promise<Stage>>()
const open: Seller[] = []

/** The stage of a target, set up for the first test that needs it. */
export function stageOf(target: Target): Promise<Stage> {
  const known = stages.get(target.baseUrl) ?? setUp(target)
  stages.set(target.baseUrl, known)
  return known
}

/** Closes the servers of every stage. */
export async function closeStages(): Promise<void> {
  stages.clear()
  await Promise.all(open.splice(0).map((seller) => seller.close()))
}

/** A test that uses the stage; skipped for a target whose money may not be moved. */
export function staged(target: TargetOf, title: string, run: (stage: Stage) => Promise<void>): void {
  test(title, async ({ skip }) => {
    if (!target().devnet) skip('it moves money: give the target’s devnet.json')
    await run(await stageOf(target()))
  })
}

/** A test with a mirrored listing that pays an account of the devnet; skipped for a target that shows none. */
export function mirroring(
  target: TargetOf,
  title: string,
  run: (mirrored: MirroredListing, stage: Stage) => Promise<void>,
): void {
  test(title, async ({ skip }) => {
    if (!target().devnet) skip('it signs as a payee: give the target’s devnet.json')
    const mirrored = await mirroredOf(target())
    if (!mirrored) return skip('the target mirrors nothing that pays an account of its devnet')
    await run(mirrored, await stageOf(target()))
  })
}

async function setUp(target: Target): Promise<Stage> {
  const { baseUrl, devnet } = target
  if (!devnet) throw new Error('The stage needs the devnet of the target')
  const word = `run${randomBytes(5).toString('hex')}`
  const wallet = newAccount()
  const payer = newAccount()
  await fund(devnet, wallet.address, { wei: 10n ** 18n })
  await fund(devnet, payer.address, { usdc: 1_000_000n })
  const provider = await newOwner(target, wallet)
  const visitor = await visitorOf(target)
  const splitter = await splitterOf(provider.api, devnet, wallet.address)

  const payTo = splitter.splitterAddress
  const product = { method: 'GET' as const, payTo }
  const [express, hono, scripted] = await Promise.all([
    startExpressSeller(target, [
      { ...product, path: '/weather', amount: PRICES.weather, description: 'Weather' },
      { ...product, path: '/translate', method: 'POST', amount: PRICES.translate, description: 'Translation' },
      { ...product, path: '/draft', amount: PRICES.draft, description: 'Nothing yet' },
    ]),
    startHonoSeller(target, [{ ...product, path: '/rates', amount: PRICES.rates, description: 'Rates' }]),
    startScripted(),
  ])
  open.push(express, hono, scripted)

  const { api } = provider
  const draft = await publish(api, devnet, wallet, { name: `Draft ${word}`, urls: [express.url('/draft')] })
  await deploySplitter(devnet, wallet, splitter)
  const weather = await goLive(api, devnet, wallet, { name: `Weather ${word}`, urls: [express.url('/weather')] })
  const translate = await goLive(api, devnet, wallet, {
    name: `Translate ${word}`,
    urls: [express.url('/translate')],
    method: 'POST',
    category: 'ai',
    description: 'Reports about the weather, translated.',
  })
  await act(api, translate.slug, 'request_verification')
  const rates = await goLive(api, devnet, wallet, {
    name: `Rates ${word}`,
    urls: [hono.url('/rates')],
    category: 'crypto',
  })
  const settled: string[] = []
  for (const url of [express.url('/weather'), hono.url('/rates'), express.url('/weather')]) {
    settled.push((await buy(devnet, payer, url)).transaction)
  }
  const client = new Client(baseUrl)
  await inActivity(client, payer.address, settled)
  const asked = requirementOf(devnet, payTo, PRICES.weather)
  const shared = { target, devnet, client, word, provider, visitor, splitter, scripted, asked, payer, settled }
  return { ...shared, weather, translate, rates, draft }
}

/** An `exact` entry in the devnet's USDC. */
export const requirementOf = ({ network, usdc }: Devnet, payTo: `0x${string}`, amount: string): Requirement => ({
  scheme: 'exact',
  network,
  asset: usdc.address,
  amount,
  payTo,
  maxTimeoutSeconds: 120,
  extra: { name: usdc.name, version: usdc.version },
})

/** Waits until the ledger shows a payer's settlements. */
async function inActivity(client: Client, payer: string, transactions: readonly string[]): Promise<void> {
  await eventually(async () => {
    const answer = await client.get(`/api/call/activity?address=${payer}`)
    const { items } = answer.json() as { items: { txHash: string }[] }
    expect(items.map(({ txHash }) => txHash).sort()).toEqual([...transactions].sort())
  })
}

/** Waits for the effects of an event. @throws what the last attempt threw */
export const eventually = <T>(look: () => Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 15_000, interval: 50 })

/** A live listing at a scripted endpoint of its own, for a test that changes it. */
export async function liveAtScripted({ provider, devnet, scripted, asked }: Stage, path: string, name: string) {
  const url = scripted.set(path, challengeV2(asked))
  return goLive(provider.api, devnet, provider.account, { name, urls: [url] })
}
