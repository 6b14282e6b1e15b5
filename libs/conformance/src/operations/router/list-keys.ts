import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent } from '../../actors/agent.ts'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { newRouterKey } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { bought } from '../../models/sold.ts'
import { eventually } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/router/keys'

export const listKeys: Register = (target) => {
  test('lists the owner’s keys by their beginnings, without secrets, and without those of linked agents', async () => {
    const owner = await newOwner(target())
    await newAgent(target(), owner)
    expect(accepted(router.listKeys, await owner.session.get(PATH)).keys).toEqual([])
    const made = [await newRouterKey(target(), owner, 'compute'), await newRouterKey(target(), owner, 'balance')]
    const answer = await owner.session.get(PATH)
    const { keys } = accepted(router.listKeys, answer)
    expect(keys.map(({ id, source }) => ({ id, source })).sort((a, b) => b.source.localeCompare(a.source))).toEqual([
      { id: made[0]?.id, source: 'compute' },
      { id: made[1]?.id, source: 'balance' },
    ])
    for (const { id, label, prefix, lastUsedAt } of keys) {
      expect({ label, lastUsedAt }).toEqual({ label: 'conformance', lastUsedAt: null })
      const secret = made.find((key) => key.id === id)?.key ?? ''
      expect(secret.startsWith(prefix)).toBe(true)
      expect(prefix.length).toBeLessThanOrEqual(secret.length - 32)
      expect(answer.text).not.toContain(secret)
    }
  })

  test('lists no key of another owner', async () => {
    const [owner, visitor] = [await newOwner(target()), await visitorOf(target())]
    const { id } = await newRouterKey(target(), owner)
    const { keys } = accepted(router.listKeys, await visitor.session.get(PATH))
    expect(keys.map((key) => key.id)).not.toContain(id)
  })

  bought(target, 'chat', 'says when a key was last used', async (model, { owner, key }) => {
    const body = { model: model.id, messages: [{ role: 'user', content: 'Name a city.' }], max_tokens: 16 }
    await key.bearer.post('/v1/chat/completions', body)
    await eventually(async () => {
      const { keys } = accepted(router.listKeys, await owner.session.get(PATH))
      expect(keys).toMatchObject([{ id: key.id, lastUsedAt: expect.any(String) }])
    })
  })

  test('401 unauthorized: without a session, also with an API key', async () => {
    const { api } = await visitorOf(target())
    for (const client of [new Client(target().baseUrl), api]) {
      refused(router.listKeys, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
