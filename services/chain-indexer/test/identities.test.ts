import type { ObservedIdentity } from '@callboard/contract'
import { identityRegistryAbi, reputationRegistryAbi } from '@callboard/evm'
import { type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { evmNetwork, type Hex } from '@callboard/values'
import { type Abi, encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { account, openTestChain, type TestChain } from './chain.ts'
import { cursorOf, recorded, startIndexer } from './indexer.ts'

const GAS = 400_000n

let chain: TestChain
let database: TestDatabase
let services: TestServices
beforeAll(async () => {
  chain = await openTestChain()
})
afterAll(() => chain.devnet.stop())
beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterEach(async () => {
  await services.stop()
  await database.drop()
})

const follow = async (from: number, more: { env?: Record<string, string>; devnet?: object } = {}) => {
  const { identityRegistry, reputationRegistry } = chain.devnet
  services = await startIndexer(database, chain, {
    ...{ finality: 'tags', finalityDepth: 8, from, env: more.env ?? {} },
    devnet: { ...(more.devnet ?? { identityRegistry, reputationRegistry }) },
  })
  await caughtUp()
}
const caughtUp = () =>
  until('the cursor is at the head', async () => (await cursorOf(database)) === (await chain.height()))

const call = (index: number, to: Hex, abi: Abi, functionName: string, args: readonly unknown[], gas = GAS) =>
  chain.send(encodeFunctionData({ abi, functionName, args }), to, gas, index)
const onIdentity = (index: number, functionName: string, ...args: readonly unknown[]) =>
  call(index, chain.devnet.identityRegistry, identityRegistryAbi as Abi, functionName, args)
const onReputation = (index: number, functionName: string, ...args: readonly unknown[]) =>
  call(index, chain.devnet.reputationRegistry, reputationRegistryAbi as Abi, functionName, args)
const feedback = (agentId: bigint) => [agentId, 87n, 0, 'starred', '', '', '', `0x${'00'.repeat(32)}`]

async function told(name: 'identity.changed.v1' | 'identity.reverted.v1'): Promise<ObservedIdentity[]> {
  const rows = await database.query<{ data: ObservedIdentity }>(
    `select data from chain_indexer.outbox where name = '${name}' order by sequence`,
  )
  return rows.map(({ data }) => data)
}

test('an agent, its transfer, its wallet and its feedback are announced in chain order', async () => {
  await follow((await chain.height()) + 1)
  await onIdentity(1, 'register', 'https://example.com/agent.json')
  await onReputation(2, 'giveFeedback', ...feedback(0n))
  await onReputation(2, 'revokeFeedback', 0n, 1n)
  await onReputation(3, 'appendResponse', 0n, account(2).address, 1n, 'ipfs://y', `0x${'00'.repeat(32)}`)
  await onIdentity(1, 'transferFrom', account(1).address, account(4).address, 0n)
  await until('all is told', async () => (await told('identity.changed.v1')).length >= 8)
  const changes = await told('identity.changed.v1')
  expect(changes.map(({ change }) => change)).toEqual([
    ...['transferred', 'registered', 'wallet_set'],
    ...['feedback_given', 'feedback_revoked', 'feedback_answered'],
    ...['wallet_set', 'transferred'],
  ])
  expect(new Set(changes.map(({ registry, agentId }) => `${registry} ${agentId}`))).toEqual(
    new Set([`${chain.devnet.identityRegistry} 0`]),
  )
  expect(changes).toMatchObject([
    { owner: account(1).address },
    { owner: account(1).address, uri: { text: 'https://example.com/agent.json', cut: false } },
    { wallet: account(1).address },
    { client: account(2).address, index: '1', value: '87', decimals: 0, tag1: 'starred' },
    { client: account(2).address, index: '1' },
    { client: account(2).address, responder: account(3).address },
    { wallet: null },
    { owner: account(4).address },
  ])
})

test('events that a reorganization removes are reverted, and announced again when they return', async () => {
  await follow((await chain.height()) + 1)
  await onIdentity(5, 'register')
  await until('it is told', async () => (await told('identity.changed.v1')).length === 3)
  await caughtUp()
  await chain.reorg(1)
  await chain.mine(1)
  await until('it is taken back', async () => (await told('identity.reverted.v1')).length === 3)
  const [changed, reverted] = [await told('identity.changed.v1'), await told('identity.reverted.v1')]
  expect(reverted.map(({ logIndex }) => logIndex).toSorted()).toEqual(
    changed
      .slice(0, 3)
      .map(({ logIndex }) => logIndex)
      .toSorted(),
  )
})

test('registries configured later are read from the first block, and reverted when they are removed', async () => {
  const from = (await chain.height()) + 1
  const network = evmNetwork(chain.devnet.chainId)
  const none = { env: { IDENTITY_REGISTRIES: JSON.stringify({ [network]: null }) } }
  await follow(from, none)
  await onIdentity(6, 'register')
  await chain.mine(10)
  await caughtUp()
  expect(await told('identity.changed.v1')).toEqual([])
  await services.stop()
  await follow(from)
  await until('it is told', async () => (await told('identity.changed.v1')).length === 3)
  await services.stop()
  await follow(from, none)
  await until('it is taken back', async () => (await told('identity.reverted.v1')).length === 3)
})

test('a tag that normalization makes longer than what is kept does not stop its chain', async () => {
  await follow((await chain.height()) + 1)
  await onReputation(2, 'giveFeedback', 0n, 87n, 0, `a${'\u{1d15e}'.repeat(31)}`, '', '', '', `0x${'00'.repeat(32)}`)
  await caughtUp()
  const [feedback] = await told('identity.changed.v1')
  expect(feedback).toMatchObject({ change: 'feedback_given', tag1: expect.stringMatching(/^a/) })
})

test.each(['at the tip', 'in history'])(
  'claims too long to be read keep nothing else of their block back, %s',
  async (where) => {
    await onIdentity(1, 'register')
    const from = (await chain.height()) + 1
    const limited = { env: { RPC_MAX_RESPONSE_BYTES: '65536' } }
    if (where === 'at the tip') await follow(from, limited)
    await chain.automine(false)
    const [, , , , , , , zeros] = feedback(0n)
    const long = [0n, 87n, 0, 'starred', '', '', 'x'.repeat(40_000), zeros]
    const sent = [
      call(2, chain.devnet.reputationRegistry, reputationRegistryAbi as Abi, 'giveFeedback', long, 8_000_000n),
      onIdentity(7, 'register', 'https://example.com/agent.json'),
      chain.settle(1, 10n),
    ]
    await until(
      'all are waiting',
      async () => Number(((await chain.rpc('txpool_status')) as { pending: Hex }).pending) === 3,
    )
    await chain.mine(1)
    await Promise.all(sent)
    await chain.automine(true)
    await chain.mine(60)
    if (where === 'in history') await follow(from, limited)
    else await caughtUp()
    expect((await told('identity.changed.v1')).map(({ change }) => change)).toEqual([
      ...['transferred', 'registered', 'wallet_set'],
    ])
    expect(await recorded(database)).toHaveLength(1)
  },
)
