import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/self'

export const unlinkSelf: Register = (target) => {
  test('after the 204 the agent’s token is invalid', async () => {
    const owner = await newOwner(target())
    const { api } = await newAgent(target(), owner)
    accepted(agents.unlinkSelf, await api.delete(PATH))
    refused(agents.unlinkSelf, await api.delete(PATH), 401, 'unauthorized')
    expect(accepted(agents.list, await owner.session.get('/api/agents')).agents).toEqual([])
  })

  test('403 not_an_agent: an API key', async () => {
    const { api } = await visitorOf(target())
    refused(agents.unlinkSelf, await api.delete(PATH), 403, 'not_an_agent')
  })

  test('401 unauthorized: without a credential', async () => {
    refused(agents.unlinkSelf, await new Client(target().baseUrl).delete(PATH), 401, 'unauthorized')
  })
}
