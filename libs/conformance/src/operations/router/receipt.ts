import { randomUUID } from 'node:crypto'
import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { emptyKeyOf, sending, UNKNOWN_KEY } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { calledWith, expectSigned } from '../../models/receipts.ts'
import { bought } from '../../models/sold.ts'
import { unitsOf } from '../../models/spending.ts'
import type { Register } from '../../target.ts'

const pathOf = (id: string) => `/v1/receipts/${id}`

export const receipt: Register = (target) => {
  bought(target, 'chat', 'of a call: what it came to, signed with a published key', async (model, balance) => {
    const id = await calledWith(model, balance)
    const signed = accepted(router.receipt, await balance.key.bearer.get(pathOf(id)))
    const { receipt: said } = signed
    expect(said).toMatchObject({
      ...{ id, key: balance.key.id, model: model.id, source: 'balance', ending: 'completed' },
      ...{ priceVersion: model.pricing.version, surface: 'chat' },
    })
    expect(unitsOf(said.amountUsd)).toBeGreaterThan(0n)
    expect(unitsOf(said.amountUsd)).toBeLessThanOrEqual(unitsOf(said.heldUsd))
    expect((said.seq === 1) === (said.previous === null)).toBe(true)
    await expectSigned(target(), signed)
  })

  bought(target, 'chat', '404 not_found: to another key', async (model, balance) => {
    const id = await calledWith(model, balance)
    const { bearer } = await emptyKeyOf(target())
    refused(router.receipt, await bearer.get(pathOf(id)), 404, 'not_found')
  })

  test('404 not_found: an unknown call', async () => {
    const { bearer, xApiKey } = await emptyKeyOf(target())
    for (const client of [bearer, xApiKey]) {
      refused(router.receipt, await client.get(pathOf(randomUUID())), 404, 'not_found')
    }
  })

  test('401 unauthorized: without a key, with an unknown one, and with an invalid wallet sign-in', async () => {
    const { bearer, xApiKey } = sending(target(), UNKNOWN_KEY)
    const noWallet = new Client(target().baseUrl, { 'sign-in-with-x': 'none' })
    for (const client of [new Client(target().baseUrl), bearer, xApiKey, noWallet]) {
      refused(router.receipt, await client.get(pathOf(randomUUID())), 401, 'unauthorized')
    }
  })
}
