import { agents } from '@callboard/contract'
import { test } from 'vitest'
import { ownerAndAgentOf } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/self/stake'

export const selfStake: Register = (target) => {
  test('503 temporarily_unavailable with Retry-After while no service answers for the Router', async () => {
    const { agent } = await ownerAndAgentOf(target())
    refused(agents.selfStake, await agent.api.get(PATH), 503, 'temporarily_unavailable')
  })

  test('401 unauthorized: without an agent’s token', async () => {
    const { owner } = await ownerAndAgentOf(target())
    for (const client of [new Client(target().baseUrl), owner.api]) {
      refused(agents.selfStake, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
