import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { NOBODYS, postingPath, wanted, whilePosted } from '../../actors/poster.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { eventually, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

export const posting: Register = (target) => {
  staged(target, 'shows anyone an open posting, and which of its members are claims', async (stage) => {
    const { provider, client } = stage
    const said = wanted()
    await whilePosted(provider.api, said, async ({ id, postedBy }) => {
      await eventually(async () => {
        const shown = accepted(catalog.posting, await client.get(postingPath(id)))
        expect(shown).toMatchObject({ id, ...said, postedBy, hasVerifiedListing: false })
        const facts = ['id', 'kind', 'postedBy', 'hasVerifiedListing', 'createdAt', 'updatedAt', 'expiresAt']
        expect([...shown.claims, ...facts, 'claims'].sort()).toEqual(Object.keys(shown).sort())
      })
    })
  })

  test('404 not_found: an unknown posting', async () => {
    refused(catalog.posting, await new Client(target().baseUrl).get(postingPath(NOBODYS)), 404, 'not_found')
  })

  test('400 names the field', async () => {
    const client = new Client(target().baseUrl)
    refused(catalog.posting, await client.get(postingPath('a-slug')), 400, 'invalid_request', 'id')
    refused(catalog.posting, await client.get(`${postingPath(NOBODYS)}?a=b`), 400, 'invalid_request', 'a')
  })
}
