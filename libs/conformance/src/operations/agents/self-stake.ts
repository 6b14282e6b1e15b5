import { agents, router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent, ownerAndAgentOf } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner } from '../../actors/owner.ts'
import { changeStake, fundToken } from '../../actors/token.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS } from '../../expectations/specification.ts'
import { eventually } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/self/stake'
const UNIT = 10n ** 18n

export const selfStake: Register = (target) => {
  test('returns the owner’s stake and its Compute for the day, as the owner sees it', async () => {
    const { owner, agent } = await ownerAndAgentOf(target())
    const stake = accepted(agents.selfStake, await agent.api.get(PATH))
    expectFields(stake, FIELDS.stakeView)
    const { epoch, compute } = accepted(router.usage, await owner.session.get('/api/router/usage'))
    expect(stake).toMatchObject({ owner: owner.account.address, epoch, computeTodayUsd: compute.limitUsd })
  })

  test('a stakeUrl that belongs to the instance itself answers the owner with the same stake as the agent sees', async ({
    skip,
  }) => {
    const { owner, agent } = await ownerAndAgentOf(target())
    const { stake, stakeUrl } = accepted(agents.selfStake, await agent.api.get(PATH))
    if (!stakeUrl.startsWith(target().baseUrl)) return skip('the operator has stakes changed elsewhere')
    const page = await fetch(stakeUrl, { headers: owner.session.headers })
    expect(page.status).toBe(200)
    expect(accepted(router.usage, await owner.session.get('/api/router/usage')).stake).toBe(stake)
  })

  test('a stake of the owner on the chain is shown, and gives no Compute on the day on which it is staked', async ({
    skip,
  }) => {
    const { devnet } = target()
    if (!devnet) return skip('it moves tokens: give the target’s devnet.json')
    const owner = await newOwner(target())
    const agent = await newAgent(target(), owner)
    const read = async () => accepted(agents.selfStake, await agent.api.get(PATH))
    const before = await read()
    expect(before.stake).toBe('0')
    await fundToken(devnet, owner.account, 5n * UNIT)
    await changeStake(devnet, owner.account, 'stake', 3n * UNIT)
    const staked = await eventually(async () => {
      const now = await read()
      expect(now.stake).toBe(String(3n * UNIT))
      return now
    })
    if (staked.epoch === before.epoch) expect(staked.computeTodayUsd).toBe(before.computeTodayUsd)
    await changeStake(devnet, owner.account, 'unstake', UNIT)
    await eventually(async () => expect((await read()).stake).toBe(String(2n * UNIT)))
  })

  test('401 unauthorized: without an agent’s token', async () => {
    const { owner } = await ownerAndAgentOf(target())
    for (const client of [new Client(target().baseUrl), owner.api]) {
      refused(agents.selfStake, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
