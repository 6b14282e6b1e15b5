import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { newRouterKey } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/router/keys'

export const deleteKey: Register = (target) => {
  test('after the 204 the key is invalid and not listed, and the owner’s other keys stay valid', async () => {
    const owner = await newOwner(target())
    const [ended, other] = [await newRouterKey(target(), owner), await newRouterKey(target(), owner)]
    accepted(router.listModels, await ended.bearer.get('/v1/models'))
    accepted(router.deleteKey, await owner.session.delete(`${PATH}/${ended.id}`))
    for (const client of [ended.bearer, ended.xApiKey]) {
      refused(router.listModels, await client.get('/v1/models'), 401, 'unauthorized')
    }
    accepted(router.listModels, await other.bearer.get('/v1/models'))
    const { keys } = accepted(router.listKeys, await owner.session.get(PATH))
    expect(keys.map(({ id }) => id)).toEqual([other.id])
    refused(router.deleteKey, await owner.session.delete(`${PATH}/${ended.id}`), 404, 'not_found')
  })

  test('404 not_found: an unknown key, and another owner’s key, which stays valid', async () => {
    const [owner, visitor] = [await newOwner(target()), await visitorOf(target())]
    const { id, bearer } = await newRouterKey(target(), owner)
    for (const path of [`${PATH}/nope`, `${PATH}/${id}`]) {
      refused(router.deleteKey, await visitor.session.delete(path), 404, 'not_found')
    }
    accepted(router.listModels, await bearer.get('/v1/models'))
  })

  test('401 unauthorized: without a session; 403 origin_mismatch: a write from another site', async () => {
    const { session, api } = await visitorOf(target())
    for (const client of [new Client(target().baseUrl), api]) {
      refused(router.deleteKey, await client.delete(`${PATH}/nope`), 401, 'unauthorized')
    }
    const answer = await session.delete(`${PATH}/nope`, { headers: { origin: 'https://callboard.example' } })
    refused(router.deleteKey, answer, 403, 'origin_mismatch', 'origin')
  })
}
