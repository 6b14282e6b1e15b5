import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { ownerAndAgentOf } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/self'

export const self: Register = (target) => {
  test('returns who the agent is, and its owner', async () => {
    const { owner, agent } = await ownerAndAgentOf(target())
    expect(accepted(agents.self, await agent.api.get(PATH))).toMatchObject({
      clientId: agent.clientId,
      wallet: agent.account.address,
      owner: owner.account.address,
      label: 'housemate',
      scopes: ['mcp:call', 'router.use'],
    })
  })

  test('401 unauthorized: no credential, an unknown one, an API key, a session', async () => {
    const { owner } = await ownerAndAgentOf(target())
    const anonymous = new Client(target().baseUrl)
    const invented = anonymous.with({ authorization: `Bearer cb_access_${'a'.repeat(43)}` })
    for (const client of [anonymous, invented, owner.api, owner.session]) {
      refused(agents.self, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
