import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent } from '../agent.ts'
import { Client } from '../client.ts'
import { accepted, refused } from '../expectations.ts'
import { newOwner, visitorOf } from '../owner.ts'
import type { Register } from '../target.ts'

export const unlink: Register = (target) => {
  test('after the 204 the agent’s token is worth nothing; repeating it, or an unknown agent, is no error', async () => {
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

  test('401 unauthorized without a session; 403 origin_mismatch for a write without Origin', async () => {
    const path = `/api/agents/agent_0x${'0'.repeat(40)}`
    refused(agents.unlink, await new Client(target().baseUrl).delete(path), 401, 'unauthorized')
    const { session } = await visitorOf(target())
    refused(agents.unlink, await session.delete(path, { headers: { origin: '' } }), 403, 'origin_mismatch', 'origin')
  })
}
