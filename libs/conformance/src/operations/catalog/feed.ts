import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { expectHead } from '../../expectations/aliases.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/call/feed.xml'

/** @source RFC 4287 */
export const feed: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  test('returns an Atom feed with id, title, time, author and its own address, of at most 50 entries', async () => {
    const text = accepted(catalog.feed, await client().get(PATH))
    const self = new URL(PATH, target().baseUrl).href
    expect(text).toContain('<feed xmlns="http://www.w3.org/2005/Atom">')
    expect(text).toContain(`<id>${self}</id>`)
    expect(text).toContain(`<link rel="self" type="application/atom+xml" href="${self}"/>`)
    for (const element of ['title', 'updated', 'author'])
      expect(text).toMatch(new RegExp(`<${element}>.+</${element}>`))
    expect(text.split('<entry>').length - 1).toBeLessThanOrEqual(50)
  })

  test('304 for a client that has the current feed', async () => {
    const answer = await client().get(PATH)
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
    expect(await client().get(PATH, { headers })).toMatchObject({ status: 304, text: '' })
  })

  test('HEAD answers as GET does', () => expectHead(client(), PATH))

  test('400 names the field: it takes no parameters', async () => {
    refused(catalog.feed, await client().get(`${PATH}?a=1`), 400, 'invalid_request', 'a')
  })
}
