import { agents, router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner } from '../../actors/owner.ts'
import { emptyKeyOf, newRouterKey, sending, UNKNOWN_KEY } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { bought } from '../../models/sold.ts'
import { paidFor } from '../../models/spending.ts'
import type { Register } from '../../target.ts'

const PATH = '/v1/key'
const MIDNIGHT = expect.stringMatching(/T00:00:00(\.000)?Z$/)

export const keyStatus: Register = (target) => {
  test('a key on an empty balance has nothing left, and no time of renewal', async () => {
    const { bearer, xApiKey } = await emptyKeyOf(target())
    for (const client of [bearer, xApiKey]) {
      const none = { limitUsd: '0', spentUsd: '0', heldUsd: '0', remainingUsd: '0', resetsAt: null }
      expect(accepted(router.keyStatus, await client.get(PATH))).toEqual({
        label: 'conformance',
        source: 'balance',
        limits: [{ limit: 'balance', ...none }],
      })
    }
  })

  test('a key on Compute shares its owner’s day, and an agent’s key also has its allowance', async () => {
    const owner = await newOwner(target())
    const { bearer } = await newRouterKey(target(), owner, 'compute')
    const ofOwner = { limit: 'owner', spentUsd: '0', heldUsd: '0', resetsAt: MIDNIGHT }
    const { source, limits } = accepted(router.keyStatus, await bearer.get(PATH))
    expect({ source, limits }).toMatchObject({ source: 'compute', limits: [ofOwner] })
    expect(limits[0]?.remainingUsd).toBe(limits[0]?.limitUsd)

    const { api } = await newAgent(target(), owner)
    const { router_key } = accepted(agents.createRouterKey, await api.post('/api/agents/self/router-key', {}))
    const ofAgent = { limit: 'agent', limitUsd: '2.5', spentUsd: '0', heldUsd: '0', resetsAt: MIDNIGHT }
    const seen = accepted(router.keyStatus, await sending(target(), router_key).bearer.get(PATH))
    expect(seen).toMatchObject({ source: 'compute', limits: [ofOwner, ofAgent] })
  })

  bought(target, 'chat', 'what a call cost is spent, and no longer held', async (model, { key: { bearer } }) => {
    const body = { model: model.id, messages: [{ role: 'user', content: 'Name a city.' }], max_tokens: 16 }
    await paidFor(bearer, () => bearer.post('/v1/chat/completions', body))
  })

  test('401 unauthorized: without a key, and with an unknown one', async () => {
    const { bearer, xApiKey } = sending(target(), UNKNOWN_KEY)
    for (const client of [new Client(target().baseUrl), bearer, xApiKey]) {
      refused(router.keyStatus, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
