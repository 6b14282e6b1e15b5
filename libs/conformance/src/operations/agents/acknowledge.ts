import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { APPROVAL, linkedBy, newAgent } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/acknowledge'

export const acknowledge: Register = (target) => {
  test('an agent that was linked without asking stays unseen until its owner acknowledges it', async () => {
    const owner = await newOwner(target())
    const trust = { device: 'laptop', trust_device: true, router_allowance_usd: 2.5 }
    const parent = await newAgent(target(), owner, trust, [...APPROVAL, ['trust_device', 'true']])
    const { clientId } = await linkedBy(target(), parent, trust)
    const shown = async () => accepted(agents.list, await owner.session.get('/api/agents')).agents
    expect(await shown()).toMatchObject([
      { approval: { by: 'owner', parent: null, seen: true }, descendants: 1 },
      { clientId, approval: { by: 'trusted_device', parent: { clientId: parent.clientId }, seen: false } },
    ])
    for (let time = 0; time < 2; time++) {
      accepted(agents.acknowledge, await owner.session.post(PATH, { clientIds: [clientId] }))
    }
    expect((await shown())[1]?.approval.seen).toBe(true)
  })

  test('400 for an invalid agent id; 401 unauthorized without a session; 403 for a write without Origin', async () => {
    const { session } = await visitorOf(target())
    const answer = await session.post(PATH, { clientIds: ['client_1'] })
    refused(agents.acknowledge, answer, 400, 'invalid_request', 'clientIds.0')
    const body = { clientIds: [`agent_0x${'0'.repeat(40)}`] }
    refused(agents.acknowledge, await new Client(target().baseUrl).post(PATH, body), 401, 'unauthorized')
    const fromElsewhere = await session.post(PATH, body, { headers: { origin: '' } })
    refused(agents.acknowledge, fromElsewhere, 403, 'origin_mismatch', 'origin')
  })
}
