import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { APPROVAL, askToLink, linkedBy, newAgent } from '../../actors/agent.ts'
import { newAccount } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/devices/laptop/trust'

export const distrustDevice: Register = (target) => {
  test('ends the trust and what it approved, unless asked to keep that; owner-approved agents stay; can be repeated', async () => {
    const owner = await newOwner(target())
    const trust = { device: 'laptop', trust_device: true, router_allowance_usd: 2.5 }
    const agent = await newAgent(target(), owner, trust, [...APPROVAL, ['trust_device', 'true']])
    const devices = async () => accepted(agents.listDevices, await owner.session.get('/api/agents/devices')).devices
    expect(await devices()).toMatchObject([
      { device: 'laptop', agents: 1, trust: { scopes: ['mcp:call', 'router.use'], allowanceUsd: '2.5' } },
    ])
    const approved = await linkedBy(target(), agent, { ...trust, router_allowance_usd: 1.5 })
    expect(await devices()).toMatchObject([{ agents: 2, automatic: 1, trust: { allowanceInUseUsd: '1.5' } }])
    refused(
      agents.distrustDevice,
      await owner.session.delete(`${PATH}?descendants=perhaps`),
      400,
      'invalid_request',
      'descendants',
    )
    accepted(agents.distrustDevice, await owner.session.delete(`${PATH}?descendants=keep`))
    expect(await devices()).toMatchObject([{ agents: 2, automatic: 1, trust: null }])
    for (let time = 0; time < 2; time++) accepted(agents.distrustDevice, await owner.session.delete(PATH))
    expect(await devices()).toEqual([{ device: 'laptop', agents: 1, trust: null, automatic: 0 }])
    expect((await approved.api.get('/api/agents/self')).status).toBe(401)
    expect((await agent.api.get('/api/agents/self')).status).toBe(200)
    expect(await askToLink(target(), newAccount(), trust, agent.api)).not.toHaveProperty('auto_approved')
  })

  test('401 unauthorized without a session; 403 origin_mismatch for a write without Origin', async () => {
    refused(agents.distrustDevice, await new Client(target().baseUrl).delete(PATH), 401, 'unauthorized')
    const { session } = await visitorOf(target())
    const answer = await session.delete(PATH, { headers: { origin: '' } })
    refused(agents.distrustDevice, answer, 403, 'origin_mismatch', 'origin')
  })
}
