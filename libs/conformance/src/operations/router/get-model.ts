import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { emptyKeyOf, sending, UNKNOWN_KEY } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { soldBy } from '../../models/sold.ts'
import type { Register } from '../../target.ts'

const pathOf = (model: string) => `/v1/models/${encodeURIComponent(model)}`

export const getModel: Register = (target) => {
  test('returns every model of the list as the list shows it', async ({ skip }) => {
    const { bearer } = await emptyKeyOf(target())
    if ((await soldBy(target())).length === 0) skip('the target sells no models')
    const { data } = accepted(router.listModels, await bearer.get('/v1/models'))
    for (const model of data) {
      expect(accepted(router.getModel, await bearer.get(pathOf(model.id)))).toEqual(model)
    }
  })

  test('404 model_not_found: a model that is not sold', async () => {
    const { bearer, xApiKey } = await emptyKeyOf(target())
    for (const client of [bearer, xApiKey]) {
      refused(router.getModel, await client.get(pathOf('conformance-no-such-model')), 404, 'model_not_found', 'model')
    }
  })

  test('401 unauthorized: without a key, and with an unknown one', async () => {
    const { bearer, xApiKey } = sending(target(), UNKNOWN_KEY)
    for (const client of [new Client(target().baseUrl), bearer, xApiKey]) {
      refused(router.getModel, await client.get(pathOf('any')), 401, 'unauthorized')
    }
  })
}
