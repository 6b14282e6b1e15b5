import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/keys'

export const listKeys: Register = (target) => {
  test('lists the owner’s keys so that they can be told apart, without their values', async () => {
    const { session, api } = await visitorOf(target())
    await api.get('/api/call/listings/mine')
    const answer = await session.get(PATH)
    const { keys } = accepted(oauth.listKeys, answer)
    expect(keys).toContainEqual(expect.objectContaining({ label: 'conformance', lastUsedAt: expect.any(String) }))
    expect(new Set(keys.map(({ id }) => id)).size).toBe(keys.length)
    expect(answer.text).not.toMatch(/[A-Za-z0-9_-]{40,}/)
  })

  test('401 unauthorized: without a session, also with an API key', async () => {
    const { api } = await visitorOf(target())
    for (const client of [new Client(target().baseUrl), api]) {
      refused(oauth.listKeys, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
