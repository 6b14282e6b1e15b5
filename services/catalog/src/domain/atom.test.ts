import { expect, test } from 'vitest'
import { type AtomEntry, atomDocument } from './atom.ts'

const FEED = {
  id: 'https://callboard.example/call/feed.xml',
  title: 'New',
  subtitle: 'What is new',
  author: { name: 'Callboard', uri: 'https://callboard.example' },
  links: [{ rel: 'self', type: 'application/atom+xml', href: 'https://callboard.example/call/feed.xml?a=1&b=2' }],
} as const

const entry = (more: Partial<AtomEntry> = {}): AtomEntry => ({
  id: 'https://callboard.example/call/weather',
  title: 'Weather',
  updated: '2026-11-20T12:00:00.000Z',
  summary: 'Rain',
  links: [],
  ...more,
})

test('a feed has what RFC 4287 requires, and is as new as its newest entry', () => {
  const document = atomDocument({ ...FEED, entries: [entry(), entry({ updated: '2026-11-21T12:00:00.000Z' })] })
  expect(document).toMatch(
    /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/,
  )
  expect(document).toContain('<updated>2026-11-21T12:00:00.000Z</updated>\n<author><name>Callboard</name>')
  expect(document).toContain('href="https://callboard.example/call/feed.xml?a=1&amp;b=2"')
})

test('a feed without entries is also valid, and always the same', () => {
  expect(atomDocument({ ...FEED, entries: [] })).toContain('<updated>1970-01-01T00:00:00.000Z</updated>')
})

test('a provider’s words are text and never markup', () => {
  const document = atomDocument({ ...FEED, entries: [entry({ title: `<b a="1">'&amp;`, category: '"><x' })] })
  expect(document).toContain('<title>&lt;b a=&quot;1&quot;&gt;&#39;&amp;amp;</title>')
  expect(document).toContain('<category term="&quot;&gt;&lt;x"/>')
})

test('characters that XML does not allow are left out', () => {
  const document = atomDocument({ ...FEED, entries: [entry({ title: 'a\u0000b\u001bc\ud800d\uffffe\tf😀' })] })
  expect(document).toContain('<title>abcde\tf😀</title>')
})

test('the whole document is exact, byte for byte, and a value that an entry lacks has no element', () => {
  const links = [{ rel: 'alternate', type: 'text/"html"', href: 'https://callboard.example/?a=1&b=2' }] as const
  const full = entry({ published: '2026-11-19T12:00:00.000Z', category: 'data', links })
  expect(atomDocument({ ...FEED, entries: [full, entry()] })).toBe(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>https://callboard.example/call/feed.xml</id>
<title>New</title>
<subtitle>What is new</subtitle>
<updated>2026-11-20T12:00:00.000Z</updated>
<author><name>Callboard</name><uri>https://callboard.example</uri></author>
<link rel="self" type="application/atom+xml" href="https://callboard.example/call/feed.xml?a=1&amp;b=2"/>
<entry>
<id>https://callboard.example/call/weather</id>
<title>Weather</title>
<updated>2026-11-20T12:00:00.000Z</updated>
<published>2026-11-19T12:00:00.000Z</published>
<category term="data"/>
<link rel="alternate" type="text/&quot;html&quot;" href="https://callboard.example/?a=1&amp;b=2"/>
<summary>Rain</summary>
</entry>
<entry>
<id>https://callboard.example/call/weather</id>
<title>Weather</title>
<updated>2026-11-20T12:00:00.000Z</updated>
<summary>Rain</summary>
</entry>
</feed>
`)
})

test('a feed is as new as its newest entry, wherever that entry is', () => {
  const entries = [
    entry({ updated: '2026-11-21T12:00:00.000Z' }),
    entry(),
    entry({ updated: '2026-11-19T12:00:00.000Z' }),
  ]
  expect(atomDocument({ ...FEED, entries })).toContain('<updated>2026-11-21T12:00:00.000Z</updated>\n<author>')
})
