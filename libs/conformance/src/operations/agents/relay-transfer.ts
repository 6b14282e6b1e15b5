import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent, ownerAndAgentOf } from '../../actors/agent.ts'
import { fund, newAccount, transfersFrom } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { newOwner } from '../../actors/owner.ts'
import { authorize, type Deviation } from '../../actors/payment.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { requirementOf, staged } from '../../stage.ts'
import type { Devnet, Register } from '../../target.ts'

const PATH = '/api/agents/relay-transfer'
const AMOUNT = '10000'

type Payee = `0x${string}`

/** A body, signed by the agent's wallet. */
const order = async (
  devnet: Devnet,
  agent: ReturnType<typeof newAccount>,
  payTo: Payee,
  change: Deviation['authorization'] = {},
) => ({
  network: devnet.network,
  ...(await authorize(agent, requirementOf(devnet, payTo, AMOUNT), { authorization: change })),
})

export const relayTransfer: Register = (target) => {
  staged(
    target,
    'moves the money to the owner or a sibling once; a repeat gets the same answer',
    async ({ devnet }) => {
      const owner = await newOwner(target())
      const { account, api } = await newAgent(target(), owner, { label: 'giver' })
      const { account: sibling } = await newAgent(target(), owner, { label: 'taker' })
      await fund(devnet, account.address, { usdc: 20_000n })
      const moved: unknown[] = []
      for (const to of [owner.account.address, sibling.address]) {
        const body = await order(devnet, account, to)
        const first = accepted(agents.relayTransfer, await api.post(PATH, body))
        expect(first).toMatchObject({ success: true, payer: account.address, network: devnet.network, amount: AMOUNT })
        expect(accepted(agents.relayTransfer, await api.post(PATH, body))).toEqual(first)
        moved.push({ to, value: BigInt(AMOUNT), transaction: first.transaction })
      }
      expect(await transfersFrom(devnet, account.address)).toEqual(moved)
    },
  )

  staged(target, '403 recipient_not_allowed: to a third party, to itself, from another wallet', async ({ devnet }) => {
    const { owner, agent } = await ownerAndAgentOf(target())
    const { account, api } = agent
    const cases = [
      ['authorization.to', await order(devnet, account, newAccount().address)],
      ['authorization.to', await order(devnet, account, account.address)],
      ['authorization.from', await order(devnet, newAccount(), owner.account.address)],
    ] as const
    for (const [field, body] of cases) {
      refused(agents.relayTransfer, await api.post(PATH, body), 403, 'recipient_not_allowed', field)
    }
  })

  staged(target, '422 transfer_failed: the reason is an x402 error code', async ({ devnet }) => {
    const { owner, agent } = await ownerAndAgentOf(target())
    const body = await order(devnet, agent.account, owner.account.address)
    const answer = refused(agents.relayTransfer, await agent.api.post(PATH, body), 422, 'transfer_failed')
    expect(answer.reason).toBe('invalid_exact_evm_insufficient_balance')
  })

  staged(target, '422 unsupported_network: a network that is not served', async ({ devnet }) => {
    const { owner, agent } = await ownerAndAgentOf(target())
    const body = { ...(await order(devnet, agent.account, owner.account.address)), network: 'eip155:1' }
    refused(agents.relayTransfer, await agent.api.post(PATH, body), 422, 'unsupported_network', 'network')
  })

  staged(
    target,
    '400 invalid_request: an expired order, an amount of zero, or malformed fields',
    async ({ devnet }) => {
      const { owner, agent } = await ownerAndAgentOf(target())
      const { account, api } = agent
      const payTo = owner.account.address
      const good = await order(devnet, account, payTo)
      const { nonce: _, ...withoutNonce } = good.authorization
      const cases = [
        ['authorization.validBefore', await order(devnet, account, payTo, { validBefore: '1' })],
        ['authorization.value', await order(devnet, account, payTo, { value: '0' })],
        ['authorization.value', { ...good, authorization: { ...good.authorization, value: '-1' } }],
        ['authorization.to', { ...good, authorization: { ...good.authorization, to: 'somebody' } }],
        ['authorization.nonce', { ...good, authorization: withoutNonce }],
        ['signature', { ...good, signature: 'mine' }],
        ['network', { ...good, network: 'base' }],
        ['network', {}],
      ] as const
      for (const [field, body] of cases) {
        refused(agents.relayTransfer, await api.post(PATH, body), 400, 'invalid_request', field)
      }
    },
  )

  test('401 unauthorized: without an agent’s token', async () => {
    const { owner } = await ownerAndAgentOf(target())
    for (const client of [new Client(target().baseUrl), owner.api]) {
      refused(agents.relayTransfer, await client.post(PATH, {}), 401, 'unauthorized')
    }
  })
}
