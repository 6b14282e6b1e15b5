import { describe, expect, test } from 'vitest'
import { mirrorSlugs, mirrorUrl, resourceKey } from './resource.ts'

describe('mirrorUrl', () => {
  test.each([
    ['as it is called, with its query', 'https://a.example/x?q=1', 'https://a.example/x?q=1'],
    ['without its fragment', 'https://a.example/x#y', 'https://a.example/x'],
    ['in its written form', 'HTTPS://A.example:443/é', 'https://a.example/%C3%A9'],
    ['without the dot that may end a name', 'https://a.example.:8443/x', 'https://a.example:8443/x'],
  ])('default: keeps the URL %s', (_what, given, kept) => expect(mirrorUrl(given)).toBe(kept))

  test.each([
    ['no URL', 'weather'],
    ['another scheme', 'javascript:alert(1)'],
    ['a name in it', 'https://me@a.example/'],
    ['a password in it', 'https://:secret@a.example/'],
    ['no text', ['https://a.example/']],
    ['more than 2,048 characters', `https://a.example/${'x'.repeat(2048)}`],
    ['more than 2,048 characters once written out', `https://a.example/${'é'.repeat(1000)}`],
    ['no host', 'https:///'],
    ['a host that ends in an empty part', 'https://a.example../x'],
    ['a host of a dot alone', 'https://./x'],
    ['more than 2,048 characters before its fragment is cut', `https://a.example/#${'x'.repeat(2048)}`],
  ])('error: refuses %s', (_what, given) => expect(mirrorUrl(given)).toBeUndefined())

  test('behavior: keeps 2,048 characters, and refuses one more', () => {
    const longest = 'https://a.example/'.padEnd(2048, 'x')
    expect([mirrorUrl(longest), mirrorUrl(`${longest}x`)]).toEqual([longest, undefined])
  })
})

describe('mirrorSlugs', () => {
  const first = (method: 'GET' | 'POST', url: string) => mirrorSlugs({ method, url }).next().value

  test('default: returns host, last part of the path, and an id that no source can choose', () => {
    expect(first('GET', 'https://api.a.example/v1/Weather')).toMatch(/^api-a-example-weather-[a-z0-9]{10}$/)
  })

  test('behavior: returns the same slug for a method, origin and path, whatever the query', () => {
    const slug = first('GET', 'https://a.example/x')
    expect(first('GET', 'https://a.example/x?q=1')).toBe(slug)
    expect(first('POST', 'https://a.example/x')).not.toBe(slug)
    expect(first('GET', 'https://a.example/x/')).not.toBe(slug)
    expect(resourceKey({ method: 'GET', url: 'https://a.example/x?q=1' })).toBe('GET https://a.example/x')
  })

  test('behavior: returns nothing longer than a slug may be, and the next slug differs', () => {
    const [one, other] = mirrorSlugs({ method: 'GET', url: `https://${'a'.repeat(60)}.example/${'b'.repeat(99)}` })
    expect(one?.length).toBeLessThanOrEqual(64)
    expect(other).not.toBe(one)
  })

  // Rows keep their slugs: these must never change.
  test.each([
    ['https://api.a.example/v1/Weather', 'api-a-example-weather-ymvffsx92p'],
    ['https://api.a.example/v1/Weather//', /^api-a-example-weather-/],
    ['https://api.a.example/', /^api-a-example-[a-z0-9]{10}$/],
    ['http://[::]/', /^mirrored-[a-z0-9]{10}$/],
    [`https://${'a'.repeat(63)}.example/x`, /^a{53}-[a-z0-9]{10}$/],
    [`https://${'a'.repeat(52)}.example/x`, /^a{52}-[a-z0-9]{10}$/],
  ])('behavior: returns a readable slug for %s', (url, slug) => expect(first('GET', url)).toMatch(slug))
})
