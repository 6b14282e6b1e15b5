import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/keys'

export const deleteKey: Register = (target) => {
  test('after the 204 the key is invalid; revoking it again changes nothing', async () => {
    const { session } = await visitorOf(target())
    const { id, key } = accepted(oauth.createKey, await session.post(PATH, { label: 'short-lived' }))
    const api = new Client(target().baseUrl, { authorization: `Bearer ${key}` })
    expect((await api.get('/api/call/listings/mine')).status).toBe(200)
    for (let time = 0; time < 2; time++) {
      accepted(oauth.deleteKey, await session.delete(`${PATH}/${id}`))
      expect((await api.get('/api/call/listings/mine')).status).toBe(401)
    }
    const { keys } = accepted(oauth.listKeys, await session.get(PATH))
    expect(keys.map((one) => one.id)).not.toContain(id)
  })

  test('404 not_found: an unknown key, and another owner’s', async () => {
    const [{ session }, other] = [await visitorOf(target()), await newOwner(target())]
    const { keys } = accepted(oauth.listKeys, await other.session.get(PATH))
    for (const id of ['nobody-has-this', keys[0]?.id]) {
      refused(oauth.deleteKey, await session.delete(`${PATH}/${id}`), 404, 'not_found')
    }
    expect((await other.api.get('/api/call/listings/mine')).status).toBe(200)
  })

  test('401 unauthorized: without a session', async () => {
    refused(oauth.deleteKey, await new Client(target().baseUrl).delete(`${PATH}/a`), 401, 'unauthorized')
  })

  test('403 origin_mismatch: a write without Origin', async () => {
    const { session } = await visitorOf(target())
    const answer = await session.delete(`${PATH}/a`, { headers: { origin: '' } })
    refused(oauth.deleteKey, answer, 403, 'origin_mismatch', 'origin')
  })
}
