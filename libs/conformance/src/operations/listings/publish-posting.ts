import { listings } from '@callboard/contract'
import { DAY_MS, isoTime } from '@callboard/values'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { POSTINGS, wanted, whilePosted } from '../../actors/poster.ts'
import { refused } from '../../expectations/expectations.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

export const publishPosting: Register = (target) => {
  staged(target, '201 creates an open posting of the credential’s owner, for at most thirty days', async (stage) => {
    const { provider } = stage
    const said = wanted()
    await whilePosted(provider.api, said, async (posting) => {
      expect(posting).toMatchObject({
        ...said,
        status: 'open',
        postedBy: provider.account.address,
        hasVerifiedListing: false,
        endedBecause: null,
      })
      expect(Date.parse(posting.expiresAt) - Date.parse(posting.createdAt)).toBe(30 * DAY_MS)
    })
  })

  staged(target, '400 names the field', async ({ provider }) => {
    for (const [change, field] of [
      [{ kind: 'api' }, 'kind'],
      [{ title: 'ab' }, 'title'],
      [{ title: 'Turned \u202etxt' }, 'title'],
      [{ title: 'Callboard support' }, 'title'],
      [{ description: 'a'.repeat(1001) }, 'description'],
      [{ category: 'games' }, 'category'],
      [{ amountUsd: '-1' }, 'amountUsd'],
      [{ accepts: [] }, 'accepts'],
      [{ accepts: [{ network: 'base', asset: '0x12' }] }, 'accepts.0.network'],
      [{ contactUrl: 'javascript:alert(1)' }, 'contactUrl'],
      [{ contactUrl: 'https://127.0.0.1/' }, 'contactUrl'],
      [{ expiresAt: isoTime(Date.now() + 31 * DAY_MS) }, 'expiresAt'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      [{ hasVerifiedListing: true }, 'hasVerifiedListing'],
    ] as const) {
      const answer = await provider.api.post(POSTINGS, { ...wanted(), ...change })
      refused(listings.publishPosting, answer, 400, 'invalid_request', field)
    }
  })

  test('401 unauthorized: without a credential', async () => {
    const answer = await new Client(target().baseUrl).post(POSTINGS, wanted())
    refused(listings.publishPosting, answer, 401, 'unauthorized')
  })
}
