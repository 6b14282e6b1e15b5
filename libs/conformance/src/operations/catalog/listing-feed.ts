import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { expectHead } from '../../expectations/aliases.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { eventually, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const path = (slug: string) => `/call/${slug}/feed.xml`

export const listingFeed: Register = (target) => {
  staged(target, 'the first entry is the listing’s first offer', async ({ client, weather }) => {
    await eventually(async () => {
      const text = accepted(catalog.listingFeed, await client.get(path(weather.slug)))
      expect(text).toContain(`<id>${new URL(`/call/${weather.slug}`, target().baseUrl).href}#version-`)
      expect(text).toMatch(/<title>Listed: (GET|POST) \S+ for 0\.01 USD in 0x/)
    })
  })

  staged(target, 'the page that its entries link to exists, and none exists for an unknown listing', async (stage) => {
    const { client, weather, draft } = stage
    await eventually(async () => {
      const page = await client.get(`/call/${weather.slug}`)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.text).toContain(weather.name)
      expect(page.text).toMatch(/<pre[^>]*>npx callboard pay /)
    })
    expect((await client.get(`/call/${draft.slug}`)).status).toBe(404)
  })

  staged(target, 'HEAD answers as GET does', ({ client, weather }) => expectHead(client, path(weather.slug)))

  staged(target, '404 not_found: unknown, and never activated', async ({ client, draft }) => {
    for (const slug of ['nobody-has-this', draft.slug]) {
      refused(catalog.listingFeed, await client.get(path(slug)), 404, 'not_found')
    }
  })

  test('400 names the field: it takes no parameters', async () => {
    const answer = await new Client(target().baseUrl).get(`${path('any')}?a=1`)
    refused(catalog.listingFeed, answer, 400, 'invalid_request', 'a')
  })
}
