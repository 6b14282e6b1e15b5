import { agents } from '@callboard/contract'
import { test } from 'vitest'
import { APPROVAL, linkedBy, newAgent, ownerAndAgentOf } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner } from '../../actors/owner.ts'
import { refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/self/router-balance-key'

export const createBalanceKey: Register = (target) => {
  test('503 temporarily_unavailable with Retry-After while no service answers for the Router', async () => {
    const { agent } = await ownerAndAgentOf(target())
    refused(agents.createBalanceKey, await agent.api.post(PATH, {}), 503, 'temporarily_unavailable')
  })

  test('403 owner_approval_required: an agent that a trusted device approved, and its owner did not', async () => {
    const trust = { device: 'laptop', trust_device: true, router_allowance_usd: 2.5 }
    const parent = await newAgent(target(), await newOwner(target()), trust, [...APPROVAL, ['trust_device', 'true']])
    const agent = await linkedBy(target(), parent, trust)
    refused(agents.createBalanceKey, await agent.api.post(PATH, {}), 403, 'owner_approval_required')
  })

  test('401 unauthorized: without an agent’s token', async () => {
    const { owner } = await ownerAndAgentOf(target())
    for (const client of [new Client(target().baseUrl), owner.api]) {
      refused(agents.createBalanceKey, await client.post(PATH, {}), 401, 'unauthorized')
    }
  })
}
