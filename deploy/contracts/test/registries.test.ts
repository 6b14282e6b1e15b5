import { artifacts } from '@callboard/evm'
import { getContract, parseEventLogs, toHex, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { account, deploy, mined, openChain, type TestChain } from './chain.ts'

const owner = account(1).address
const client = account(2).address
const buyer = account(3).address

async function deployRegistries(chain: TestChain) {
  const identity = await deploy(chain, artifacts.testIdentityRegistry)
  const reputation = await deploy(chain, artifacts.testReputationRegistry, [identity])
  return {
    identity: getContract({ address: identity, abi: artifacts.testIdentityRegistry.abi, client: chain }),
    reputation: getContract({ address: reputation, abi: artifacts.testReputationRegistry.abi, client: chain }),
  }
}

let anvil: Anvil
let chain: TestChain
let registries: Awaited<ReturnType<typeof deployRegistries>>
beforeAll(async () => {
  const opened = await openChain()
  anvil = opened.anvil
  chain = opened.chain
  registries = await deployRegistries(chain)
})
afterAll(() => anvil.stop())

/** Registers an agent for the owner. */
async function agent(uri = 'https://example.com/agent.json'): Promise<bigint> {
  const { identity } = registries
  const { logs } = await mined(chain, identity.write.register([uri], { account: owner }))
  const [registered] = parseEventLogs({ abi: identity.abi, logs, eventName: 'Registered' })
  if (!registered) throw new Error('No agent was registered')
  return registered.args.agentId
}

/** The wallet's signature that makes it an agent's wallet. */
async function walletSignature(agentId: bigint, signer: number, inSeconds = 60n) {
  const wallet = account(signer)
  const deadline = (await chain.getBlock()).timestamp + inSeconds
  const signature = await wallet.signTypedData({
    domain: {
      ...{ name: 'ERC8004IdentityRegistry', version: '1' },
      ...{ chainId: await chain.getChainId(), verifyingContract: registries.identity.address },
    },
    types: {
      AgentWalletSet: [
        { name: 'agentId', type: 'uint256' },
        { name: 'newWallet', type: 'address' },
        { name: 'owner', type: 'address' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'AgentWalletSet',
    message: { agentId, newWallet: wallet.address, owner, deadline },
  })
  return { deadline, signature }
}

describe('TestIdentityRegistry', () => {
  test('a registered agent belongs to its caller, has the caller’s wallet, and returns its file’s URI', async () => {
    const { identity } = registries
    const agentId = await agent()
    expect(await identity.read.ownerOf([agentId])).toBe(owner)
    expect(await identity.read.getAgentWallet([agentId])).toBe(owner)
    expect(await identity.read.tokenURI([agentId])).toBe('https://example.com/agent.json')
  })

  test('an agent’s wallet is set only with that wallet’s signature, and cleared when the agent changes owner', async () => {
    const { identity } = registries
    const agentId = await agent()
    const { deadline, signature } = await walletSignature(agentId, 4)
    const wallet = account(4).address
    const set = [agentId, wallet, deadline, signature] as const
    await expect(identity.simulate.setAgentWallet(set, { account: client })).rejects.toThrow('NotAuthorized')
    const foreign = [agentId, buyer, deadline, signature] as const
    await expect(identity.simulate.setAgentWallet(foreign, { account: owner })).rejects.toThrow('BadSignature')
    await mined(chain, identity.write.setAgentWallet(set, { account: owner }))
    expect(await identity.read.getAgentWallet([agentId])).toBe(wallet)
    await mined(chain, identity.write.transferFrom([owner, buyer, agentId], { account: owner }))
    expect(await identity.read.ownerOf([agentId])).toBe(buyer)
    expect(await identity.read.getAgentWallet([agentId])).toBe(zeroAddress)
  })

  test('BadDeadline: a signature is valid for at most five minutes', async () => {
    const agentId = await agent()
    const { deadline, signature } = await walletSignature(agentId, 4, 301n + 60n)
    const set = [agentId, account(4).address, deadline, signature] as const
    await expect(registries.identity.simulate.setAgentWallet(set, { account: owner })).rejects.toThrow('BadDeadline')
  })

  test('ReservedKey: metadata cannot set the wallet', async () => {
    const agentId = await agent()
    const set = [agentId, 'agentWallet', toHex('me')] as const
    await expect(registries.identity.simulate.setMetadata(set, { account: owner })).rejects.toThrow('ReservedKey')
  })
})

describe('TestReputationRegistry', () => {
  const words = (agentId: bigint) => [agentId, 9977n, 2, 'uptime', '30days', '', '', zeroHash] as const

  test('a client gives feedback on an agent, revokes it once, and anyone can respond', async () => {
    const { reputation } = registries
    const agentId = await agent()
    const { logs } = await mined(chain, reputation.write.giveFeedback(words(agentId), { account: client }))
    const [given] = parseEventLogs({ abi: reputation.abi, logs, eventName: 'NewFeedback' })
    expect(given?.args).toMatchObject({
      agentId,
      clientAddress: client,
      feedbackIndex: 1n,
      value: 9977n,
      tag1: 'uptime',
    })
    await mined(chain, reputation.write.appendResponse([agentId, client, 1n, 'ipfs://y', zeroHash], { account: buyer }))
    await mined(chain, reputation.write.revokeFeedback([agentId, 1n], { account: client }))
    const again = reputation.simulate.revokeFeedback([agentId, 1n], { account: client })
    await expect(again).rejects.toThrow('AlreadyRevoked')
  })

  test('SelfFeedback: an owner cannot give feedback on its own agent', async () => {
    const said = registries.reputation.simulate.giveFeedback(words(await agent()), { account: owner })
    await expect(said).rejects.toThrow('SelfFeedback')
  })

  test('UnknownFeedback: missing feedback can be neither revoked nor answered', async () => {
    const agentId = await agent()
    const { reputation } = registries
    await expect(reputation.simulate.revokeFeedback([agentId, 1n], { account: client })).rejects.toThrow(
      'UnknownFeedback',
    )
    const response = [agentId, client, 0n, 'ipfs://y', zeroHash] as const
    await expect(reputation.simulate.appendResponse(response)).rejects.toThrow('UnknownFeedback')
  })
})
