import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { visitorOf } from '../../actors/owner.ts'
import { emptyKeyOf, sending, UNKNOWN_KEY } from '../../actors/router-key.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { soldBy } from '../../models/sold.ts'
import type { Register } from '../../target.ts'

const PATH = '/v1/models'

export const listModels: Register = (target) => {
  test('lists the public models in OpenAI’s format, for both kinds of clients', async () => {
    const { bearer, xApiKey } = await emptyKeyOf(target())
    const shown = (await soldBy(target())).map(({ id, ownedBy }) => ({ id, owned_by: ownedBy }))
    for (const client of [bearer, xApiKey]) {
      const { data } = accepted(router.listModels, await client.get(PATH))
      expect(data.map(({ id, owned_by }) => ({ id, owned_by }))).toEqual(shown)
    }
  })

  test('401 unauthorized: without a key, with an unknown one, and with an API key of another kind', async () => {
    const { baseUrl } = target()
    const { bearer, xApiKey } = sending(target(), UNKNOWN_KEY)
    for (const client of [new Client(baseUrl), bearer, xApiKey, (await visitorOf(target())).api]) {
      refused(router.listModels, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
