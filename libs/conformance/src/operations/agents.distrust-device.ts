import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { APPROVAL, askToLink, newAgent } from '../agent.ts'
import { newAccount } from '../chain.ts'
import { Client } from '../client.ts'
import { accepted, refused } from '../expectations.ts'
import { newOwner, visitorOf } from '../owner.ts'
import type { Register } from '../target.ts'

const PATH = '/api/agents/devices/laptop/trust'

export const distrustDevice: Register = (target) => {
  test('ends the trust and no link; repeating it is no error', async () => {
    const owner = await newOwner(target())
    const trust = { device: 'laptop', trust_device: true, router_allowance_usd: 2.5 }
    const agent = await newAgent(target(), owner, trust, [...APPROVAL, ['trust_device', 'true']])
    const devices = async () => accepted(agents.listDevices, await owner.session.get('/api/agents/devices')).devices
    expect(await devices()).toMatchObject([
      { device: 'laptop', agents: 1, trust: { scopes: ['mcp:call', 'router.use'], allowanceUsd: '2.5' } },
    ])
    for (let time = 0; time < 2; time++) accepted(agents.distrustDevice, await owner.session.delete(PATH))
    expect(await devices()).toEqual([{ device: 'laptop', agents: 1, trust: null }])
    expect(await askToLink(target(), newAccount(), trust, agent.api)).not.toHaveProperty('auto_approved')
  })

  test('401 unauthorized without a session; 403 origin_mismatch for a write without Origin', async () => {
    refused(agents.distrustDevice, await new Client(target().baseUrl).delete(PATH), 401, 'unauthorized')
    const { session } = await visitorOf(target())
    const answer = await session.delete(PATH, { headers: { origin: '' } })
    refused(agents.distrustDevice, answer, 403, 'origin_mismatch', 'origin')
  })
}
