import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { emptyKeyOf, newRouterKey, sending, UNKNOWN_KEY } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { calledWith, expectSigned } from '../../models/receipts.ts'
import { bought } from '../../models/sold.ts'
import type { Register } from '../../target.ts'

const PATH = '/v1/receipts'

export const receipts: Register = (target) => {
  test('lists no receipts for a key without calls', async () => {
    const { bearer, xApiKey } = await emptyKeyOf(target())
    for (const client of [bearer, xApiKey]) {
      expect(accepted(router.receipts, await client.get(PATH))).toEqual({ object: 'list', data: [], has_more: false })
    }
  })

  bought(target, 'chat', 'page by page a chain in which each names the one before', async (model, { owner }) => {
    const key = await newRouterKey(target(), owner)
    const calls: string[] = []
    for (let n = 0; n < 3; n++) calls.push(await calledWith(model, { owner, key }))
    const first = accepted(router.receipts, await key.bearer.get(`${PATH}?limit=2`))
    expect(first).toMatchObject({ has_more: true, data: [{ receipt: { seq: 1 } }, { receipt: { seq: 2 } }] })
    const rest = accepted(router.receipts, await key.bearer.get(`${PATH}?limit=2&after=2`))
    expect(rest.has_more).toBe(false)
    const all = [...first.data, ...rest.data]
    expect(all.map(({ receipt }) => receipt.id)).toEqual(calls)
    expect(all.map(({ receipt }) => receipt.previous)).toEqual([null, all[0]?.hash, all[1]?.hash])
    for (const one of all) await expectSigned(target(), one)
  })

  test('400 names the field', async () => {
    const { bearer } = await emptyKeyOf(target())
    for (const [field, query] of [
      ['after', 'after=-1'],
      ['after', 'after=last'],
      ['limit', 'limit=0'],
      ['limit', 'limit=101'],
    ] as const) {
      refused(router.receipts, await bearer.get(`${PATH}?${query}`), 400, 'invalid_request', field)
    }
  })

  test('401 unauthorized: without a key, with an unknown one, and with an invalid wallet sign-in', async () => {
    const { bearer, xApiKey } = sending(target(), UNKNOWN_KEY)
    const noWallet = new Client(target().baseUrl, { 'sign-in-with-x': 'none' })
    for (const client of [new Client(target().baseUrl), bearer, xApiKey, noWallet]) {
      refused(router.receipts, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
