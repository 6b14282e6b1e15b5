import { describe, expect, test } from 'vitest'
import { NotThatDocument, readDocumentOf } from './index.ts'

const AT = new URL('https://a.example/doc')
const read = (kind: Parameters<typeof readDocumentOf>[0], document: unknown) =>
  readDocumentOf(kind, JSON.stringify(document), AT)

describe('a page of a facilitator', () => {
  test('default: returns entries of version 2, with what their bazaar extension says', () => {
    const input = { type: 'http', method: 'POST', bodyType: 'json' }
    const schema = { properties: { input: { properties: { body: { type: 'object', properties: { q: {} } } } } } }
    const item = { resource: 'https://b.example/x', type: 'http', extensions: { bazaar: { info: { input }, schema } } }
    expect(read('facilitator', { items: [item], pagination: { total: 7 } })).toMatchObject({
      ...{ entries: 1, total: 7, leftOut: {} },
      resources: [{ url: 'https://b.example/x', method: 'POST', inputSchema: { type: 'object' } }],
    })
  })

  test('behavior: descriptions are read from the entry, its metadata or its first way to pay', () => {
    const items = [
      { resource: 'https://b.example/1', serviceName: 'One', metadata: { description: 'Of it.', name: 'no' } },
      { resource: 'https://b.example/2', accepts: [{ description: 'Two.' }], metadata: { category: 'ai' } },
    ]
    expect(read('facilitator', { items }).resources).toMatchObject([
      { title: 'One', description: 'Of it.' },
      { description: 'Two.', tags: 'ai' },
    ])
  })

  test('behavior: a total that is not a count is ignored', () => {
    for (const total of [-1, 1.5, '9', 1e300])
      expect(read('facilitator', { items: [], pagination: { total } }).total).toBeUndefined()
  })
})

describe('an OpenAPI document', () => {
  const paid = {
    'x-payment-info': {
      price: { mode: 'fixed', amount: '0.1', currency: 'USD' },
      protocols: [{ x402: {} }, { mpp: {} }],
    },
  }
  const document = (paths: object, more: object = {}) => ({ openapi: '3.1.0', paths, ...more })

  test('default: returns its paid operations, below its server of the same origin', () => {
    const { resources } = read(
      'openapi',
      document({ '/q': { post: { ...paid, operationId: 'ask' } } }, { servers: [{ url: '/v1/' }] }),
    )
    expect(resources).toMatchObject([{ url: 'https://a.example/v1/q', method: 'post', title: 'ask' }])
    expect(resources[0]?.accepts).toEqual([
      { scheme: 'x402', amount: '0.1', asset: 'USD' },
      { scheme: 'mpp', amount: '0.1', asset: 'USD' },
    ])
  })

  test.each([
    ['an example', { example: 'BTC' }, 'BTC'],
    ['an example of its schema', { schema: { example: 7 } }, '7'],
    ['a default', { schema: { default: 'a/b' } }, 'a%2Fb'],
    ['the first of its values', { schema: { enum: ['x', 'y'] } }, 'x'],
  ])('behavior: a path parameter is filled by %s', (_what, parameter, filled) => {
    const parameters = [{ in: 'path', name: 'id', ...parameter }]
    const { resources } = read('openapi', document({ '/q/{id}': { get: { ...paid, parameters } } }))
    expect(resources).toMatchObject([{ url: `https://a.example/q/${filled}` }])
  })

  test('behavior: other origins, parameters without a value and free operations are left out', () => {
    const elsewhere = document({ '/q': { get: paid } }, { servers: [{ url: 'https://b.example' }] })
    expect(read('openapi', elsewhere)).toMatchObject({ resources: [], leftOut: { origin: 1 }, entries: 1 })
    const paths = { '/q/{id}': { get: paid }, '/free': { get: {} }, '/odd': null, '//b.example/x': { get: paid } }
    const read2 = read('openapi', document(paths))
    expect(read2.leftOut.template).toBe(1)
    expect(read2.resources.every(({ url }) => new URL(String(url)).origin === AT.origin)).toBe(true)
  })

  test('behavior: an inline body schema is read, and no reference is followed', () => {
    const body = (schema: object) => ({ ...paid, requestBody: { content: { 'application/json': { schema } } } })
    const paths = { '/a': { post: body({ type: 'object' }) }, '/b': { post: body({ $ref: 'http://127.0.0.1/' }) } }
    expect(read('openapi', document(paths)).resources.map(({ inputSchema }) => inputSchema)).toEqual([
      { type: 'object' },
      undefined,
    ])
  })
})

test('/.well-known/x402: lists URLs, with or without a method, or objects, of its own origin', () => {
  const resources = [
    '/x',
    'POST https://a.example/y',
    { url: '/z', method: 'GET', title: 'Z' },
    'https://b.example/',
    5,
    null,
  ]
  expect(read('well-known', { version: 1, resources })).toEqual({
    resources: [
      { url: 'https://a.example/x', method: undefined, isOwnWord: true },
      { url: 'https://a.example/y', method: 'POST', isOwnWord: true },
      {
        url: 'https://a.example/z',
        method: 'GET',
        title: 'Z',
        description: undefined,
        accepts: undefined,
        isOwnWord: true,
      },
    ],
    ...{ leftOut: { origin: 3 }, entries: 6 },
  })
})

test('an API catalog: lists items, descriptions that may be OpenAPI, and other catalogs, each once', () => {
  const linkset = [
    {
      anchor: '/',
      'service-desc': [
        { href: '/o.json', type: 'application/json' },
        { href: '/w.wsdl', type: 'text/xml' },
      ],
    },
    { anchor: '/', 'service-desc': { href: '/o.json' }, item: ['https://b.example/i', { href: 'mailto:x@b.example' }] },
    { anchor: '/', 'api-catalog': [{ href: '/doc' }, { href: 'https://b.example/more' }] },
    7,
  ]
  expect(read('api-catalog', { linkset })).toMatchObject({
    resources: [{ url: 'https://b.example/i' }],
    follow: [
      { kind: 'openapi', url: 'https://a.example/o.json' },
      { kind: 'api-catalog', url: 'https://b.example/more' },
    ],
  })
})

test.each(['facilitator', 'openapi', 'well-known', 'api-catalog'] as const)(
  'error: a document that is not %s is refused',
  (kind) => {
    for (const text of ['<html>', '', 'null', '[]', '{}', '"items"', `${'['.repeat(100_000)}`]) {
      expect(() => readDocumentOf(kind, text, AT)).toThrow(NotThatDocument)
    }
  },
)
