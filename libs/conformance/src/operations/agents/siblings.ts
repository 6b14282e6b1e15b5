import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/self/siblings'

export const siblings: Register = (target) => {
  test('lists the owner’s agents, including revoked ones, with devices and allowances, and marks the caller', async () => {
    const owner = await newOwner(target())
    const gone = await newAgent(target(), owner, { label: 'gone' })
    accepted(agents.unlinkSelf, await gone.api.delete('/api/agents/self'))
    const { clientId, account, api } = await newAgent(target(), owner, { label: 'here', device: 'laptop' })
    const { siblings: shown } = accepted(agents.siblings, await api.get(PATH))
    expect(shown).toEqual([
      expect.objectContaining({ clientId: gone.clientId, label: 'gone', status: 'revoked', self: false }),
      {
        ...{ clientId, wallet: account.address, label: 'here', device: 'laptop' },
        ...{ status: 'active', allowanceUsd: '2.5', approvedBy: 'owner', parent: null, self: true },
      },
    ])
  })

  test('401 unauthorized: without a credential', async () => {
    refused(agents.siblings, await new Client(target().baseUrl).get(PATH), 401, 'unauthorized')
  })
}
