import { describe, expect, test } from 'vitest'
import { apiCatalog } from './api-catalog.ts'
import { NotThatDocument } from './read.ts'

const AT = new URL('https://a.example/.well-known/api-catalog')
const read = (...linkset: unknown[]) => apiCatalog(JSON.stringify({ linkset }), AT)
const openapi = (url: string) => ({ kind: 'openapi', url })
const catalog = (url: string) => ({ kind: 'api-catalog', url })

describe('apiCatalog', () => {
  test('default: returns endpoints, descriptions and further catalogs, in the document’s order', () => {
    const context = {
      item: [{ href: '/one' }, { href: 'http://b.example/two' }],
      'service-desc': [{ href: '/o.json' }],
      'api-catalog': [{ href: 'https://b.example/more' }],
    }
    expect(read(context, { item: '/three' })).toEqual({
      resources: [
        { url: 'https://a.example/one' },
        { url: 'http://b.example/two' },
        { url: 'https://a.example/three' },
      ],
      ...{ leftOut: {}, entries: 3 },
      follow: [openapi('https://a.example/o.json'), catalog('https://b.example/more')],
    })
  })

  test.each([
    ...[undefined, '', 'application/json', 'application/openapi+json', 'application/vnd.oai.openapi+json'],
    ...['application/problem+json', 'Application/JSON; charset=utf-8', ' application/json ', 7],
  ])('behavior: a description of type %j may be OpenAPI', (type) => {
    expect(read({ 'service-desc': [{ href: '/o', type }] }).follow).toEqual([openapi('https://a.example/o')])
  })

  test.each(['text/xml', 'application/json5', 'xapplication/json', 'application/vnd.oai.openapi'])(
    'behavior: a description of type %s is not OpenAPI',
    (type) => expect(read({ 'service-desc': [{ href: '/o', type }] }).follow).toEqual([]),
  )

  test('behavior: a document is followed once, and a catalog never leads to itself', () => {
    const links = [{ href: '/o' }, { href: '/o' }]
    expect(
      read({ 'service-desc': links, 'api-catalog': [{ href: AT.href }] }, { 'service-desc': links }).follow,
    ).toEqual([openapi('https://a.example/o')])
  })

  test('behavior: a target that is not a web link and a context that is not an object are skipped', () => {
    const targets = [
      { href: 'mailto:a@b.example' },
      { href: 'ftp://b.example' },
      { href: 7 },
      {},
      null,
      7,
      { href: 'http://' },
    ]
    expect(read({ item: targets }, null, 7, 'text', [])).toMatchObject({ resources: [], entries: 0, follow: [] })
  })

  test('behavior: an endless catalog is read up to 500 contexts, 1,000 links and 4,096 characters per link', () => {
    const items = Array.from({ length: 501 }, (_, at) => ({ item: `/${at}` }))
    expect(read(...items).resources).toHaveLength(500)
    const links = Array.from({ length: 1_001 }, (_, at) => `/${at}`)
    expect(read({ item: links }).entries).toBe(1_000)
    const many = read(
      { item: links, 'service-desc': links },
      { item: links, 'service-desc': links.map((link) => `${link}x`) },
    )
    expect([many.resources.length, many.entries, many.follow?.length]).toEqual([1_000, 2_000, 1_000])
    expect(read({ item: `/${'x'.repeat(5_000)}` }).resources[0]?.url).toBe(`https://a.example/${'x'.repeat(4_095)}`)
  })

  test.each([null, [], {}, { linkset: {} }])('error: %j is no API catalog', (document) => {
    expect(() => apiCatalog(JSON.stringify(document), AT)).toThrow(NotThatDocument)
  })
})
