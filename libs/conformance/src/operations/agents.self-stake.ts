import { agents } from '@callboard/contract'
import { test } from 'vitest'
import { householdOf } from '../agent.ts'
import { Client } from '../client.ts'
import { refused } from '../expectations.ts'
import type { Register } from '../target.ts'

const PATH = '/api/agents/self/stake'

export const selfStake: Register = (target) => {
  test('503 temporarily_unavailable with Retry-After while nobody answers for the Router', async () => {
    const { agent } = await householdOf(target())
    refused(agents.selfStake, await agent.api.get(PATH), 503, 'temporarily_unavailable')
  })

  test('401 unauthorized: without an agent’s token', async () => {
    const { owner } = await householdOf(target())
    for (const client of [new Client(target().baseUrl), owner.api]) {
      refused(agents.selfStake, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
