import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { type Answer, Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/keys'
/** Above any sensible limit of keys. */
const MANY = 200

export const createKey: Register = (target) => {
  test('creates a key that works at once', async () => {
    const { session } = await visitorOf(target())
    const { key, label } = accepted(oauth.createKey, await session.post(PATH, { label: '  A label ' }))
    expect(label).toBe('A label')
    const api = new Client(target().baseUrl, { authorization: `Bearer ${key}` })
    expect((await api.get('/api/call/listings/mine')).status).toBe(200)
  })

  test('403 origin_mismatch: a write from another site', async () => {
    const { session } = await visitorOf(target())
    const answer = await session.post(PATH, { label: 'a' }, { headers: { origin: 'https://callboard.example' } })
    refused(oauth.createKey, answer, 403, 'origin_mismatch', 'origin')
  })

  test('401 unauthorized: an API key cannot create keys', async () => {
    const { api } = await visitorOf(target())
    refused(oauth.createKey, await api.post(PATH, { label: 'a' }), 401, 'unauthorized')
  })

  test('409 key_limit: an owner has a limited number of keys', async () => {
    const { session } = await newOwner(target())
    let last: Answer | undefined
    for (let made = 0; made < MANY && last?.status !== 409; made++) last = await session.post(PATH, { label: 'many' })
    if (!last) expect.fail('No key was asked for')
    refused(oauth.createKey, last, 409, 'key_limit')
  }, 120_000)

  test('400 names the field', async () => {
    const { session } = await visitorOf(target())
    for (const [body, field] of [
      [{}, 'label'],
      [{ label: ' ' }, 'label'],
      [{ label: 'a'.repeat(81) }, 'label'],
      [{ label: 7 }, 'label'],
      [{ label: 'a', scopes: [] }, 'scopes'],
    ] as const) {
      refused(oauth.createKey, await session.post(PATH, body), 400, 'invalid_request', field)
    }
  })
}
