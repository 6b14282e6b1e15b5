import { agents } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent, ownerAndAgentOf } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner } from '../../actors/owner.ts'
import { topUpPayment, topUpWith } from '../../actors/top-up.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS } from '../../expectations/specification.ts'
import { unitsOf } from '../../models/spending.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/agents/self/router'

export const selfRouter: Register = (target) => {
  test('returns the approved allowance, what remains of it and of the owner’s Compute, and no balance', async () => {
    const { agent } = await ownerAndAgentOf(target())
    const view = accepted(agents.selfRouter, await agent.api.get(PATH))
    expectFields(view, FIELDS.routerView)
    expectFields(view.compute, FIELDS.routerCompute)
    const { compute, balance } = view
    expect(compute).toMatchObject({ allowanceUsd: '2.5', spentTodayUsd: '0' })
    const [own, ofOwner] = [unitsOf('2.5'), unitsOf(compute.ownerLimitUsd) - unitsOf(compute.ownerSpentUsd)]
    expect(unitsOf(compute.remainingTodayUsd)).toBe(own < ofOwner ? own : ofOwner)
    expect(compute.resetsAt).toMatch(/T00:00:00(\.000)?Z$/)
    expect(balance).toBeNull()
  })

  test('a change of the allowance by the owner applies at once', async () => {
    const owner = await newOwner(target())
    const { api, clientId } = await newAgent(target(), owner)
    accepted(agents.edit, await owner.session.patch(`/api/agents/${clientId}`, { routerAllowanceUsd: 0.5 }))
    expect(accepted(agents.selfRouter, await api.get(PATH)).compute.allowanceUsd).toBe('0.5')
  })

  staged(target, 'returns the balance that the owner bought', async ({ devnet }) => {
    const owner = await newOwner(target())
    const { api } = await newAgent(target(), owner)
    const { payment } = await topUpPayment(owner.session, devnet, 1)
    expect((await topUpWith(owner.session, 1, payment)).status).toBe(200)
    const { balance } = accepted(agents.selfRouter, await api.get(PATH))
    expect(balance).toEqual({ purchasedUsd: '1', spentUsd: '0', remainingUsd: '1' })
  })

  test('401 unauthorized: without an agent’s token', async () => {
    const { owner } = await ownerAndAgentOf(target())
    for (const client of [new Client(target().baseUrl), owner.api]) {
      refused(agents.selfRouter, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
