import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { APPROVAL, linkedBy, newAgent } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { allowedProgram } from '../../actors/oauth-client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

export const unlink: Register = (target) => {
  test('after the 204 the agent’s token is invalid; repeating it, or an unknown agent, is no error', async () => {
    const owner = await newOwner(target())
    const { clientId, api } = await newAgent(target(), owner)
    const visitor = await visitorOf(target())
    accepted(agents.unlink, await visitor.session.delete(`/api/agents/${clientId}`))
    expect((await api.get('/api/agents/self')).status).toBe(200)
    for (let time = 0; time < 2; time++) {
      accepted(agents.unlink, await owner.session.delete(`/api/agents/${clientId}`))
      expect((await api.get('/api/agents/self')).status).toBe(401)
    }
    expect(accepted(agents.list, await owner.session.get('/api/agents')).agents).toEqual([])
  })

  test('agents that it linked without asking end with it; 404 for an invalid agent id', async () => {
    const owner = await newOwner(target())
    const trust = { device: 'laptop', trust_device: true, router_allowance_usd: 2.5 }
    const agent = await newAgent(target(), owner, trust, [...APPROVAL, ['trust_device', 'true']])
    const child = await linkedBy(target(), agent, { ...trust, router_allowance_usd: 1 })
    const kept = await linkedBy(target(), agent, { ...trust, router_allowance_usd: 1 })
    accepted(agents.unlink, await owner.session.delete(`/api/agents/${child.clientId}?descendants=keep`))
    expect((await kept.api.get('/api/agents/self')).status).toBe(200)
    accepted(agents.unlink, await owner.session.delete(`/api/agents/${agent.clientId}`))
    expect((await kept.api.get('/api/agents/self')).status).toBe(401)
    const { client } = await allowedProgram(target(), owner)
    refused(agents.unlink, await owner.session.delete(`/api/agents/${client.client_id}`), 404, 'not_found')
  })

  test('401 unauthorized without a session; 403 origin_mismatch for a write without Origin', async () => {
    const path = `/api/agents/agent_0x${'0'.repeat(40)}`
    refused(agents.unlink, await new Client(target().baseUrl).delete(path), 401, 'unauthorized')
    const { session } = await visitorOf(target())
    refused(agents.unlink, await session.delete(path, { headers: { origin: '' } }), 403, 'origin_mismatch', 'origin')
  })
}
