import { listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { wanted, whilePosted } from '../../actors/poster.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/postings/mine'

export const myPostings: Register = (target) => {
  staged(
    target,
    'lists the owner’s postings, including ended ones, and no other owner’s',
    async ({ provider, visitor }) => {
      let id = ''
      const mine = async () => {
        const { postings } = accepted(listings.myPostings, await provider.api.get(`${PATH}?limit=100`))
        return postings.find((one) => one.id === id)
      }
      await whilePosted(provider.api, wanted(), async (posting) => {
        id = posting.id
        expect(await mine()).toEqual(posting)
        expect(accepted(listings.myPostings, await visitor.api.get(PATH)).postings).toEqual([])
      })
      expect(await mine()).toMatchObject({ status: 'closed' })
    },
  )

  staged(target, 'pages list every posting once', async ({ provider }) => {
    await whilePosted(provider.api, wanted(), () =>
      whilePosted(provider.api, wanted(), async () => {
        const read: string[] = []
        let cursor: string | null = null
        do {
          const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
          const page = accepted(listings.myPostings, await provider.api.get(`${PATH}?limit=1${query}`))
          read.push(...page.postings.map(({ id }) => id))
          cursor = page.nextCursor
        } while (cursor !== null)
        expect(read.length).toBeGreaterThan(1)
        expect(new Set(read).size).toBe(read.length)
      }),
    )
  })

  staged(target, '400 names the field', async ({ provider }) => {
    for (const [query, field] of [
      ['status=open', 'status'],
      ['limit=0', 'limit'],
      ['cursor=abc', 'cursor'],
    ] as const) {
      refused(listings.myPostings, await provider.api.get(`${PATH}?${query}`), 400, 'invalid_request', field)
    }
  })

  test('401 unauthorized: without a credential', async () => {
    refused(listings.myPostings, await new Client(target().baseUrl).get(PATH), 401, 'unauthorized')
  })
}
