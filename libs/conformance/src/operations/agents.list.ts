import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { householdOf } from '../agent.ts'
import { Client } from '../client.ts'
import { accepted, refused } from '../expectations.ts'
import { visitorOf } from '../owner.ts'
import type { Register } from '../target.ts'

const PATH = '/api/agents'

export const listAgents: Register = (target) => {
  test('the owner’s live agents, and nobody else’s', async () => {
    const { owner, agent } = await householdOf(target())
    const { agents: listed } = accepted(agents.list, await owner.session.get(PATH))
    expect(listed).toMatchObject([
      {
        clientId: agent.clientId,
        wallet: agent.account.address,
        label: 'housemate',
        device: 'laptop',
        scopes: ['mcp:call', 'router.use'],
      },
    ])
    const visitor = await visitorOf(target())
    expect(accepted(agents.list, await visitor.session.get(PATH)).agents).toEqual([])
  })

  test('401 unauthorized: without a session, and with an agent’s token or an API key', async () => {
    const { owner, agent } = await householdOf(target())
    for (const client of [new Client(target().baseUrl), agent.api, owner.api]) {
      refused(agents.list, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
