import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { newRouterKey } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { calledWith, expectSigned } from '../../models/receipts.ts'
import { bought } from '../../models/sold.ts'
import type { Register } from '../../target.ts'

const pathOf = (id: string, query = '') => `/api/router/keys/${id}/receipts${query}`

export const receiptsOfKey: Register = (target) => {
  test('lists no receipts for a key without calls or an unknown key', async () => {
    const owner = await newOwner(target())
    const { id } = await newRouterKey(target(), owner)
    for (const of of [id, 'none']) {
      const answer = await owner.session.get(pathOf(of))
      expect(accepted(router.receiptsOfKey, answer)).toEqual({ receipts: [], hasMore: false })
    }
  })

  bought(target, 'chat', 'also of a key that has ended; to nobody else', async (model, { owner }) => {
    const key = await newRouterKey(target(), owner)
    const call = await calledWith(model, { owner, key })
    accepted(router.deleteKey, await owner.session.delete(`/api/router/keys/${key.id}`))
    const { receipts } = accepted(router.receiptsOfKey, await owner.session.get(pathOf(key.id)))
    expect(receipts.map(({ receipt }) => receipt.id)).toEqual([call])
    for (const one of receipts) await expectSigned(target(), one)
    const { session } = await visitorOf(target())
    expect(accepted(router.receiptsOfKey, await session.get(pathOf(key.id))).receipts).toEqual([])
  })

  test('400 names the field', async () => {
    const { session } = await visitorOf(target())
    for (const field of ['after', 'limit', 'other']) {
      refused(router.receiptsOfKey, await session.get(pathOf('any', `?${field}=x`)), 400, 'invalid_request', field)
    }
  })

  test('401 unauthorized: without a session, also with an API key', async () => {
    const { api } = await visitorOf(target())
    for (const client of [new Client(target().baseUrl), api]) {
      refused(router.receiptsOfKey, await client.get(pathOf('any')), 401, 'unauthorized')
    }
  })
}
