import { sanitizeResourceServiceMetadata } from '@x402/extensions/bazaar'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readServiceMetadata } from './service-metadata.ts'

const ICON = 'https://cdn.example/icon.png'

describe('readServiceMetadata', () => {
  test('default: valid metadata is returned as sent', () => {
    const metadata = { serviceName: 'Weather', tags: ['weather', 'Europe'], iconUrl: ICON }
    expect(readServiceMetadata({ url: 'https://a.example/', ...metadata })).toEqual(metadata)
  })

  test.each([
    ['a name of 33 characters', { serviceName: 'x'.repeat(33) }],
    ['an empty name', { serviceName: '' }],
    ['a name that turns its direction', { serviceName: 'Weather\u202e' }],
    ['a name that is no text', { serviceName: ['Weather'] }],
    ['tags that are no list', { tags: 'weather' }],
    ['tags that are all too long or empty', { tags: ['', 'x'.repeat(33), 7] }],
    ['an icon by http', { iconUrl: 'http://cdn.example/icon.png' }],
    ['an icon by another scheme', { iconUrl: 'javascript:alert(1)' }],
    ['an icon at an IPv4 address', { iconUrl: 'https://10.0.0.1/icon.png' }],
    ['an icon at a number', { iconUrl: 'https://2130706433/icon.png' }],
    ['an icon at an address in hex', { iconUrl: 'https://0x7f.1/icon.png' }],
    ['an icon at an IPv6 address', { iconUrl: 'https://[::1]/icon.png' }],
    ['an icon at this machine', { iconUrl: 'https://localhost/icon.png' }],
    ['an icon at this machine, spelled with a dot', { iconUrl: 'https://localhost./icon.png' }],
    ['an icon at a name of this machine', { iconUrl: 'https://a.localhost/icon.png' }],
    ['an icon at this machine by its longer name', { iconUrl: 'https://localhost.localdomain/icon.png' }],
    ['an icon at this machine by version 6', { iconUrl: 'https://ip6-localhost/icon.png' }],
    ['an icon at the loopback of version 6', { iconUrl: 'https://ip6-loopback./icon.png' }],
    ['an icon at a name of this machine, with a dot', { iconUrl: 'https://a.localhost./icon.png' }],
    ['an icon with a line break', { iconUrl: 'https://cdn.exa\nmple/icon.png' }],
    ['an icon that is no URL', { iconUrl: 'icon.png' }],
    ['an icon that is no text', { iconUrl: [ICON] }],
    ['an icon behind a user', { iconUrl: 'https://me@cdn.example/icon.png' }],
    ['an icon behind a password', { iconUrl: 'https://:secret@cdn.example/icon.png' }],
    ['a name that begins beyond ASCII', { serviceName: 'Öffi' }],
    ['a name with a line break', { serviceName: 'Weather\n' }],
    ['an icon behind credentials', { iconUrl: 'https://me:secret@cdn.example/icon.png' }],
    ['an icon of 2049 characters', { iconUrl: `${ICON}?${'x'.repeat(2049)}` }],
  ])('behavior: %s is left out', (_what, metadata) => expect(readServiceMetadata(metadata)).toEqual({}))

  test.each([
    'https://1.2.3.4.example/icon.png',
    'https://1.2.3.example/icon.png',
    'https://localhost.example/icon.png',
    'https://my-localhost/icon.png',
    'https://a.localhost.example/icon.png',
    'https://ip6-localhost.example/icon.png',
    `${ICON}?`.padEnd(2048, 'x'),
  ])('behavior: %.60s is accepted as the icon of a named host', (iconUrl) => {
    expect(readServiceMetadata({ iconUrl })).toEqual({ iconUrl })
  })

  test('behavior: accepts names and tags of 32 characters', () => {
    const longest = { serviceName: 'x'.repeat(32), tags: ['y'.repeat(32)] }
    expect(readServiceMetadata(longest)).toEqual(longest)
  })

  test('behavior: keeps at most five tags, each once regardless of case', () => {
    const tags = ['a', 'A', 'b', 'c', 'd', 'e', 'f']
    expect(readServiceMetadata({ tags })).toEqual({ tags: ['a', 'b', 'c', 'd', 'e'] })
  })

  test.each([undefined, null, 7, 'text', []])('error: %j is ignored', (resource) => {
    expect(readServiceMetadata(resource)).toEqual({})
  })

  test('behavior: name and tags equal those of @x402/extensions, and it accepts every icon of ours', () => {
    const text = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 40 }))
    const host = fc.oneof(fc.domain(), fc.ipV4(), fc.constantFrom('localhost', '0x7f.1', '1', 'a.localhost'))
    const iconUrl = fc.oneof(
      fc.webUrl(),
      host.map((name) => `https://${name}/i.png`),
      text,
    )
    const data = fc.record({ serviceName: text, tags: fc.array(text, { maxLength: 8 }), iconUrl }, { requiredKeys: [] })
    fc.assert(
      fc.property(data, (resource) => {
        const { iconUrl: theirIcon, ...theirs } = sanitizeResourceServiceMetadata({
          url: 'https://a.example/',
          ...resource,
        })
        const { iconUrl: ourIcon, ...ours } = readServiceMetadata(resource)
        expect(ours).toEqual(theirs)
        if (ourIcon !== undefined) expect(ourIcon).toBe(theirIcon)
      }),
      { numRuns: 500 },
    )
  })
})
