import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { ownerAndAgentOf } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/devices'

export const listDevices: Register = (target) => {
  test('lists the devices of the owner’s agents, trusted only if the owner trusted them', async () => {
    const { owner } = await ownerAndAgentOf(target())
    const { devices } = accepted(agents.listDevices, await owner.session.get(PATH))
    expect(devices).toEqual([{ device: 'laptop', agents: 1, trust: null, automatic: 0 }])
  })

  test('401 unauthorized: without a session', async () => {
    refused(agents.listDevices, await new Client(target().baseUrl).get(PATH), 401, 'unauthorized')
  })
}
