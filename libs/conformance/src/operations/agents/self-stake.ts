import { agents, router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { ownerAndAgentOf } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS } from '../../expectations/specification.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/self/stake'

export const selfStake: Register = (target) => {
  test('the owner’s stake, and its Compute of the same day as the owner sees it', async () => {
    const { owner, agent } = await ownerAndAgentOf(target())
    const stake = accepted(agents.selfStake, await agent.api.get(PATH))
    expectFields(stake, FIELDS.stakeView)
    const { epoch, compute } = accepted(router.usage, await owner.session.get('/api/router/usage'))
    expect(stake).toMatchObject({ owner: owner.account.address, epoch, computeTodayUsd: compute.limitUsd })
  })

  test('401 unauthorized: without an agent’s token', async () => {
    const { owner } = await ownerAndAgentOf(target())
    for (const client of [new Client(target().baseUrl), owner.api]) {
      refused(agents.selfStake, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
