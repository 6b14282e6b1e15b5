import { catalog, listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { NOBODYS, postingPath, wanted, whilePosted } from '../../actors/poster.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { eventually, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

export const closePosting: Register = (target) => {
  staged(
    target,
    'after the 204 the posting is shown to no one, and closing it again changes nothing',
    async (stage) => {
      const { provider, client } = stage
      await whilePosted(provider.api, wanted(), async ({ id }) => {
        const shown = async () => (await client.get(postingPath(id))).status
        await eventually(async () => expect(await shown()).toBe(200))
        for (let time = 0; time < 2; time++) {
          accepted(listings.closePosting, await provider.api.delete(postingPath(id)))
        }
        await eventually(async () => expect(await shown()).toBe(404))
        refused(catalog.posting, await client.get(postingPath(id)), 404, 'not_found')
      })
    },
  )

  staged(target, '404 not_found: unknown, or not the credential’s', async ({ provider, visitor }) => {
    await whilePosted(provider.api, wanted(), async ({ id }) => {
      for (const one of [NOBODYS, id]) {
        refused(listings.closePosting, await visitor.api.delete(postingPath(one)), 404, 'not_found')
      }
    })
  })

  staged(target, '400 names the field', async ({ provider }) => {
    refused(listings.closePosting, await provider.api.delete(postingPath('a-slug')), 400, 'invalid_request', 'id')
  })

  test('401 unauthorized: without a credential', async () => {
    const answer = await new Client(target().baseUrl).delete(postingPath(NOBODYS))
    refused(listings.closePosting, answer, 401, 'unauthorized')
  })
}
