import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { sending } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/router/keys'
/** The most keys that an owner may have. */
const MOST_KEYS = 10

export const createKey: Register = (target) => {
  test('creates a key that works at once, with Compute as its budget unless the balance is requested', async () => {
    const { session } = await newOwner(target())
    for (const [asked, source] of [
      [{ label: '  A label ' }, 'compute'],
      [{ label: 'A label', source: 'compute' }, 'compute'],
      [{ label: 'A label', source: 'balance' }, 'balance'],
    ] as const) {
      const made = accepted(router.createKey, await session.post(PATH, asked))
      expect(made).toMatchObject({ label: 'A label', source, baseUrl: new URL('/v1', target().baseUrl).href })
      expect(made.key).toMatch(/^cb_router_[\w-]{32,}$/)
      const { bearer, xApiKey } = sending(target(), made.key)
      for (const client of [bearer, xApiKey]) {
        expect(accepted(router.keyStatus, await client.get('/v1/key'))).toMatchObject({ label: 'A label', source })
      }
    }
  })

  test('sets a daily limit, which the list and the key itself show', async () => {
    const { session } = await newOwner(target())
    const asked = { label: 'limited', dailyLimitUsd: '0.25' }
    const { id, key } = accepted(router.createKey, await session.post(PATH, asked))
    expect(accepted(router.listKeys, await session.get(PATH)).keys).toMatchObject([{ id, dailyLimitUsd: '0.25' }])
    const { limits } = accepted(router.keyStatus, await sending(target(), key).bearer.get('/v1/key'))
    expect(limits).toContainEqual(expect.objectContaining({ limit: 'key', limitUsd: '0.25', remainingUsd: '0.25' }))
    for (const dailyLimitUsd of ['-1', '1.0000000001', '1e3', 1])
      refused(
        router.createKey,
        await session.post(PATH, { ...asked, dailyLimitUsd }),
        400,
        'invalid_request',
        'dailyLimitUsd',
      )
  })

  test('409 key_limit: the eleventh key; ending one makes room', async () => {
    const { session } = await newOwner(target())
    const ids: string[] = []
    while (ids.length < MOST_KEYS) {
      ids.push(accepted(router.createKey, await session.post(PATH, { label: `key ${ids.length}` })).id)
    }
    refused(router.createKey, await session.post(PATH, { label: 'one more' }), 409, 'key_limit')
    accepted(router.deleteKey, await session.delete(`${PATH}/${ids[0]}`))
    accepted(router.createKey, await session.post(PATH, { label: 'a'.repeat(80) }))
  })

  test('401 unauthorized: without a session, also with an API key', async () => {
    const { api } = await visitorOf(target())
    for (const client of [new Client(target().baseUrl), api]) {
      refused(router.createKey, await client.post(PATH, { label: 'a' }), 401, 'unauthorized')
    }
  })

  test('403 origin_mismatch: a write from another site', async () => {
    const { session } = await visitorOf(target())
    const answer = await session.post(PATH, { label: 'a' }, { headers: { origin: 'https://callboard.example' } })
    refused(router.createKey, answer, 403, 'origin_mismatch', 'origin')
  })

  test('400 names the field', async () => {
    const { session } = await visitorOf(target())
    for (const [body, field] of [
      [{}, 'label'],
      [{ label: ' ' }, 'label'],
      [{ label: 'a'.repeat(81) }, 'label'],
      [{ label: 7 }, 'label'],
      [{ label: 'a', source: 'stake' }, 'source'],
      [{ label: 'a', source: null }, 'source'],
      [{ label: 'a', scopes: [] }, 'scopes'],
    ] as const) {
      refused(router.createKey, await session.post(PATH, body), 400, 'invalid_request', field)
    }
  })
}
