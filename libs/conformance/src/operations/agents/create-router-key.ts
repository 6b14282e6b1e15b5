import { agents, router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent, ownerAndAgentOf } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner } from '../../actors/owner.ts'
import { sending } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/self/router-key'

export const createRouterKey: Register = (target) => {
  test('creates an allowance key that works at once; the previous one ends, and the last ends with the link', async () => {
    const owner = await newOwner(target())
    const { api, clientId } = await newAgent(target(), owner)
    const create = async () => {
      const { router_key, router_base_url } = accepted(agents.createRouterKey, await api.post(PATH, {}))
      expect(router_key).toMatch(/^cb_router_/)
      expect(router_base_url).toBe(new URL('/v1', target().baseUrl).href)
      return sending(target(), router_key).bearer
    }
    const older = await create()
    accepted(router.keyStatus, await older.get('/v1/key'))
    const newer = await create()
    refused(router.keyStatus, await older.get('/v1/key'), 401, 'unauthorized')
    expect(accepted(router.keyStatus, await newer.get('/v1/key'))).toMatchObject({ source: 'compute' })
    accepted(agents.unlink, await owner.session.delete(`/api/agents/${clientId}`))
    refused(router.keyStatus, await newer.get('/v1/key'), 401, 'unauthorized')
  })

  test('401 unauthorized: without an agent’s token', async () => {
    const { owner } = await ownerAndAgentOf(target())
    for (const client of [new Client(target().baseUrl), owner.api]) {
      refused(agents.createRouterKey, await client.post(PATH, {}), 401, 'unauthorized')
    }
  })
}
