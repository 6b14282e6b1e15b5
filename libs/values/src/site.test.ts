import { expect, test } from 'vitest'
import { siteOf, sitesOf } from './site.ts'

test.each([
  ['https://a.b.example.co.uk/x', 'example.co.uk'],
  ['https://EXAMPLE.com:8443/x', 'example.com'],
  ['https://one.vercel.app/x', 'one.vercel.app'],
  ['https://deep.one.vercel.app/x', 'one.vercel.app'],
  ['http://127.0.0.1:4000/x', '127.0.0.1'],
  ['http://[::1]:4000/x', '0:0:0::/48'],
  ['http://[2001:db8:1:2::7]/x', '2001:db8:1::/48'],
  ['http://localhost/x', 'localhost'],
  ['https://vercel.app/x', 'vercel.app'],
])('siteOf: %s is on %s', (url, site) => {
  expect(siteOf(url)).toBe(site)
})

test('sitesOf: returns each site once', () => {
  const urls = ['https://b.example/1', 'https://x.a.example/2', 'https://y.a.example/3']
  expect(sitesOf(urls.map((url) => ({ url })))).toEqual(['a.example', 'b.example'])
})
