import {
  chainProgressed,
  identityChanged,
  identityReverted,
  listingChanged,
  type ObservedIdentity,
  catalog as operations,
  settlementObserved,
  splitterCreated,
} from '@callboard/contract'
import { type Address, HOUR_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CatalogContext } from '../src/context.ts'
import { projectionTables } from '../src/index.ts'
import { settleAll } from '../src/truth/meter.ts'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, hash, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.database.query(`truncate ${projectionTables.map((table) => `catalog.${table}`)}`))

const REGISTRY = address(8004)
const [OWNER, WALLET, BUYER, TALKER] = [address(1), address(2), address(3), address(4)]
type Change = ObservedIdentity['change']
type Said<Kind extends Change> = Omit<
  Extract<ObservedIdentity, { change: Kind }>,
  'network' | 'txHash' | 'logIndex' | 'blockNumber' | 'blockHash' | 'observedAt' | 'registry' | 'agentId' | 'change'
>

let log = 0
/** An entry in a registry's log, each in a later block. */
const said = <Kind extends Change>(change: Kind, more: Said<Kind>, agentId = '0'): ObservedIdentity => {
  log += 1
  const at = { network: BASE, txHash: hash(log), logIndex: 0, blockNumber: String(log), blockHash: hash(9_000 + log) }
  return {
    ...{ ...at, observedAt: isoTime(NOW - HOUR_MS + log), registry: REGISTRY, agentId, change },
    ...more,
  } as unknown as ObservedIdentity
}
const deliver = (data: ObservedIdentity) => catalog.deliver(identityChanged, data)
const read = (wallet: Address, more: { limit?: string; cursor?: string } = {}) =>
  catalog.ask(operations.identity, { wallet, ...more })
const register = (owner: Address, agentId = '0', text = 'https://seller.example/agent.json') =>
  deliver(said('registered', { owner, uri: { text, cut: false } }, agentId))
const feedback = (client: Address, index: string, value: string, tag1 = 'starred') =>
  said('feedback_given', { client, index, value, decimals: 2, tag1, tag2: '', uri: { text: '', cut: false } })
const nothing = { count: 0, clients: 0, tagPairs: 0, tags: [], clientList: [] }

test('a wallet of which nothing is known has no agents, and no error', async () => {
  expect(await read(OWNER)).toEqual({
    ...{ wallet: OWNER, generatedAt: isoTime(NOW), total: 0, agents: [], chains: [] },
  })
})

describe('an agent belongs to', () => {
  test('its owner and its wallet, with what it claims and where it was registered', async () => {
    await register(OWNER)
    await deliver(said('wallet_set', { wallet: WALLET }))
    const agent = {
      ...{ network: BASE, agentRegistry: `${BASE}:${REGISTRY}`, agentId: '0', owner: OWNER, agentWallet: WALLET },
      claimed: { registrationUri: { text: 'https://seller.example/agent.json', cut: false } },
      registrationTx: hash(log - 1),
    }
    expect(await read(OWNER)).toMatchObject({ total: 1, agents: [{ ...agent, roles: ['owner'] }] })
    expect(await read(WALLET)).toMatchObject({ total: 1, agents: [{ ...agent, roles: ['agent_wallet'] }] })
  })

  test('its buyer after a transfer, and no longer to its seller', async () => {
    await register(OWNER)
    await deliver(said('transferred', { owner: BUYER }))
    expect(await read(OWNER)).toMatchObject({ total: 0, agents: [] })
    expect(await read(BUYER)).toMatchObject({ total: 1, agents: [{ owner: BUYER }] })
  })

  test('nobody once its registration left the chain, and to its owner again when it returns under another id', async () => {
    const first = said('registered', { owner: OWNER, uri: { text: '', cut: false } })
    await deliver(first)
    await catalog.deliver(identityReverted, first)
    expect(await read(OWNER)).toMatchObject({ total: 0 })
    await catalog.deliver(identityChanged, { ...first, agentId: '5', blockNumber: '99' })
    expect((await read(OWNER)).agents.map(({ agentId }) => agentId)).toEqual(['5'])
  })
})

describe('feedback', () => {
  const buy = (number: number, payTo: Address, more: object = {}) =>
    catalog.deliver(settlementObserved, settlement(number, { payer: BUYER, payTo, ...more }))
  const sell = (slug: string, payee: Address) =>
    catalog.deliver(listingChanged, snapshot(slug, { payTo: [{ network: BASE, address: payee }] }))

  test('of clients that paid is separate from that of clients that never did, with what each of them paid', async () => {
    await register(OWNER)
    await sell('owners', OWNER)
    await buy(70, OWNER)
    for (const [client, index, value] of [
      [BUYER, '1', '9950'],
      [BUYER, '2', '-100'],
      [TALKER, '1', '100'],
    ] as const)
      await deliver(feedback(client, index, value))
    const [agent] = (await read(OWNER)).agents
    expect(agent?.feedback).toMatchObject({
      fromPayers: {
        ...{ count: 2, clients: 1, tagPairs: 1 },
        tags: [{ tag1: 'starred', tag2: '', count: 2, clients: 1, lowest: '-1', median: '-1', highest: '99.5' }],
        clientList: [{ client: BUYER, count: 2, paid: { payments: 1, amountUsd: '0.01' } }],
      },
      fromOthers: { count: 1, clients: 1, clientList: [{ client: TALKER, paid: null }] },
    })
  })

  test('counts a payment to a splitter of the agent’s wallet, but neither dust nor payments to others', async () => {
    await register(OWNER)
    await deliver(said('wallet_set', { wallet: WALLET }))
    await deliver(feedback(BUYER, '1', '100'))
    const paid = async () => (await read(OWNER)).agents[0]?.feedback.fromPayers.count
    for (const payee of [address(77), address(78), WALLET]) await sell(`at-${Number(payee)}`, payee)
    await buy(71, address(77))
    await buy(72, WALLET, { amount: '1' })
    expect(await paid()).toBe(0)
    const { network, txHash, logIndex, blockNumber, blockHash, observedAt } = settlement(73)
    const at = { network, txHash, logIndex, blockNumber, blockHash, observedAt }
    await catalog.deliver(splitterCreated, { ...at, splitter: address(78), wallet: WALLET })
    await buy(74, address(78))
    expect(await paid()).toBe(1)
  })

  test('is not a payer’s after payments that are no calls of a listing, which nobody judges', async () => {
    await register(OWNER)
    const wallets = Array.from({ length: 30 }, (_, at) => address(600 + at))
    for (const [at, wallet] of wallets.entries()) {
      await buy(100 + at, OWNER, { payer: wallet, amount: '100' })
      await buy(200 + at, wallet, { payer: OWNER, amount: '100' })
      await deliver(feedback(wallet, '1', '100'))
    }
    await sell('owners', OWNER)
    await buy(300, OWNER, { amount: '20000' })
    await deliver(feedback(BUYER, '1', '100'))
    await settleAll(catalog.services.contexts.get('catalog') as CatalogContext)
    const [agent] = (await read(OWNER)).agents
    expect(agent?.feedback).toMatchObject({ fromPayers: nothing, fromOthers: { count: 31 } })
  })

  test('of former and present owners and wallets of the agent is counted separately', async () => {
    await register(OWNER)
    await deliver(said('wallet_set', { wallet: WALLET }))
    await deliver(said('transferred', { owner: BUYER }))
    for (const client of [OWNER, WALLET]) await deliver(feedback(client, '1', '100'))
    const [agent] = (await read(BUYER)).agents
    expect(agent?.feedback).toMatchObject({ own: { count: 2, clients: 2 }, fromPayers: nothing, fromOthers: nothing })
  })

  test('that was revoked counts only as revoked, and answers are counted', async () => {
    await register(OWNER)
    await deliver(feedback(TALKER, '1', '100'))
    await deliver(said('feedback_answered', { client: TALKER, index: '1', responder: OWNER }))
    await deliver(said('feedback_revoked', { client: TALKER, index: '1' }))
    const [agent] = (await read(OWNER)).agents
    expect(agent?.feedback).toMatchObject({ revoked: 1, answers: 1, fromOthers: nothing })
  })

  test('shows twenty of many clients and tags, and its totals say how many there are', async () => {
    await register(OWNER)
    for (let number = 0; number < 21; number++)
      await deliver(feedback(address(100 + number), '1', '0', `tag ${number}`))
    const [agent] = (await read(OWNER)).agents
    const { fromOthers } = agent?.feedback ?? {}
    expect(fromOthers).toMatchObject({ count: 21, clients: 21, tagPairs: 21 })
    expect([fromOthers?.tags.length, fromOthers?.clientList.length]).toEqual([20, 20])
  })
})

describe('pages', () => {
  test('follow each other by agent number, with the total of all', async () => {
    for (const agentId of ['10', '9', '2']) await register(OWNER, agentId)
    const first = await read(OWNER, { limit: '2' })
    const second = await read(OWNER, { limit: '2', cursor: first.nextCursor ?? '' })
    expect([first, second].map(({ agents }) => agents.map(({ agentId }) => agentId))).toEqual([['2', '9'], ['10']])
    expect([first.total, second.total, second.nextCursor]).toEqual([3, 3, undefined])
  })

  test('400 names the cursor: one of another wallet', async () => {
    for (const agentId of ['1', '2']) await register(OWNER, agentId)
    const { nextCursor: cursor = '' } = await read(OWNER, { limit: '1' })
    const answer = await catalog.askAnyway(operations.identity, { wallet: BUYER, cursor })
    expect(answer).toMatchObject({ refusal: 'invalid_request', field: 'cursor' })
  })
})

test('the answer says how far each chain has been read', async () => {
  const blockAt = isoTime(NOW - 4_000)
  const progress = { network: BASE, blockNumber: '38', blockHash: hash(38), blockAt, behindBlocks: 1 }
  await catalog.deliver(chainProgressed, progress)
  const { chains } = await read(OWNER)
  expect(chains).toEqual([{ network: BASE, asOfBlock: '38', blockAt, behindBlocks: 1, lagSeconds: 4 }])
})
