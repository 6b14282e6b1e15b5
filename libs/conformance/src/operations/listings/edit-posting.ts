import { listings } from '@callboard/contract'
import { HOUR_MS, isoTime } from '@callboard/values'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { NOBODYS, postingPath, wanted, whilePosted } from '../../actors/poster.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

export const editPosting: Register = (target) => {
  staged(
    target,
    'changes the given members, keeps the others, and a new expiry renews the posting',
    async ({ provider }) => {
      await whilePosted(provider.api, wanted(), async ({ id, ...before }) => {
        const change = async (body: object) =>
          accepted(listings.editPosting, await provider.api.patch(postingPath(id), body)).posting
        expect(await change({ amountUsd: '300' })).toMatchObject({ id, amountUsd: '300', title: before.title })
        const expiresAt = isoTime(Date.now() + HOUR_MS)
        expect(await change({ expiresAt })).toMatchObject({ amountUsd: '300', expiresAt })
      })
    },
  )

  staged(target, '404 not_found: unknown, or not the credential’s', async ({ provider, visitor }) => {
    await whilePosted(provider.api, wanted(), async ({ id }) => {
      for (const one of [NOBODYS, id]) {
        const answer = await visitor.api.patch(postingPath(one), { amountUsd: '1' })
        refused(listings.editPosting, answer, 404, 'not_found')
      }
    })
  })

  staged(target, '409 invalid_state: a closed posting cannot be reopened', async ({ provider }) => {
    let closed = ''
    await whilePosted(provider.api, wanted(), async ({ id }) => {
      closed = id
    })
    const answer = await provider.api.patch(postingPath(closed), { expiresAt: isoTime(Date.now() + HOUR_MS) })
    refused(listings.editPosting, answer, 409, 'invalid_state')
  })

  staged(target, '400 names the field', async ({ provider }) => {
    for (const [body, field] of [
      [{}, 'title'],
      [{ title: 'ab' }, 'title'],
      [{ kind: 'service_offer' }, 'kind'],
      [{ contactUrl: 'http://pumps.example/' }, 'contactUrl'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      [{ status: 'open' }, 'status'],
    ] as const) {
      const answer = await provider.api.patch(postingPath(NOBODYS), body)
      refused(listings.editPosting, answer, 400, 'invalid_request', field)
    }
    const answer = await provider.api.patch(postingPath('a-slug'), { amountUsd: '1' })
    refused(listings.editPosting, answer, 400, 'invalid_request', 'id')
  })

  test('401 unauthorized: without a credential', async () => {
    const answer = await new Client(target().baseUrl).patch(postingPath(NOBODYS), { amountUsd: '1' })
    refused(listings.editPosting, answer, 401, 'unauthorized')
  })
}
