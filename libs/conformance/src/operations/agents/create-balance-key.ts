import { agents, router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { APPROVAL, linkedBy, newAgent, ownerAndAgentOf } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner } from '../../actors/owner.ts'
import { sending } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/self/router-balance-key'

export const createBalanceKey: Register = (target) => {
  test('creates a balance key that works at once; the previous one ends, and the allowance key stays valid', async () => {
    const { api } = await newAgent(target(), await newOwner(target()))
    const ofAllowance = accepted(agents.createRouterKey, await api.post('/api/agents/self/router-key', {}))
    const create = async () => {
      const { router_key, router_base_url } = accepted(agents.createBalanceKey, await api.post(PATH, {}))
      expect(router_key).toMatch(/^cb_router_/)
      expect(router_base_url).toBe(new URL('/v1', target().baseUrl).href)
      return sending(target(), router_key).bearer
    }
    const [older, newer] = [await create(), await create()]
    refused(router.keyStatus, await older.get('/v1/key'), 401, 'unauthorized')
    expect(accepted(router.keyStatus, await newer.get('/v1/key'))).toMatchObject({ source: 'balance' })
    accepted(router.keyStatus, await sending(target(), ofAllowance.router_key).bearer.get('/v1/key'))
  })

  test('403 owner_approval_required: an agent approved by a trusted device and not by its owner', async () => {
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
