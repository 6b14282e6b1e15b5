import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { ownerAndAgentOf } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents'

export const list: Register = (target) => {
  test('lists the owner’s live agents, and no other owner’s', async () => {
    const { owner, agent } = await ownerAndAgentOf(target())
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
    const { owner, agent } = await ownerAndAgentOf(target())
    for (const client of [new Client(target().baseUrl), agent.api, owner.api]) {
      refused(agents.list, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
