import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

export const edit: Register = (target) => {
  test('sets the daily allowance; 400 for an invalid one, 404 for an agent of another owner', async () => {
    const owner = await newOwner(target())
    const { clientId } = await newAgent(target(), owner)
    const path = `/api/agents/${clientId}`
    const { agent } = accepted(agents.edit, await owner.session.patch(path, { routerAllowanceUsd: 12.34 }))
    expect(agent).toMatchObject({ clientId, router: { allowanceUsd: '12.34' } })
    for (const routerAllowanceUsd of [-1, 1_000.01, 0.001, '5', null]) {
      const answer = await owner.session.patch(path, { routerAllowanceUsd })
      refused(agents.edit, answer, 400, 'invalid_request', 'routerAllowanceUsd')
    }
    const visitor = await visitorOf(target())
    refused(agents.edit, await visitor.session.patch(path, { routerAllowanceUsd: 1 }), 404, 'not_found')
  })

  test('401 unauthorized without a session; 403 origin_mismatch for a write from another site', async () => {
    const path = `/api/agents/agent_0x${'0'.repeat(40)}`
    const body = { routerAllowanceUsd: 1 }
    refused(agents.edit, await new Client(target().baseUrl).patch(path, body), 401, 'unauthorized')
    const { session } = await visitorOf(target())
    const answer = await session.patch(path, body, { headers: { origin: 'https://callboard.example' } })
    refused(agents.edit, answer, 403, 'origin_mismatch', 'origin')
  })
}
