import { describe, expect, test } from 'vitest'
import { documented } from './openapi.ts'

const QUOTE = new URL('https://api.example/v1/quote?pair=EUR')
const paid = { responses: { 402: {} } }

/** A path of the document whose operation is recognizable by its example. */
const marked = (mark: string) => ({ post: { requestBody: { content: { 'application/json': { example: mark } } } } })
const markAt = (document: object, url = QUOTE) => documented(document, url)?.operation?.body

describe('the methods of a path', () => {
  const methodsOf = (item: object) => documented({ paths: { '/v1/quote': item } }, QUOTE)?.methods

  test('are tried in the order of crawlers', () => {
    const item = { delete: {}, patch: {}, put: {}, get: {}, post: {}, head: {}, options: {}, parameters: [] }
    expect(methodsOf(item)).toEqual(['POST', 'GET', 'PUT', 'PATCH', 'DELETE'])
  })

  test.each([
    ['by its 402', { responses: { 200: {}, 402: {} } }],
    ['by x402scan’s mark', { 'x-payment-info': { price: '0.01' } }],
  ])('begin with one that is paid %s', (_what, operation) => {
    expect(methodsOf({ post: {}, get: operation, delete: operation })).toEqual(['GET', 'DELETE', 'POST'])
    expect(methodsOf({ post: { responses: { 200: {} } }, get: operation })).toEqual(['GET', 'POST'])
  })

  test('keep their order if none is paid', () => {
    expect(methodsOf({ post: { responses: { 200: {} } }, get: { responses: [] }, put: { responses: '402' } })).toEqual([
      'POST',
      'GET',
      'PUT',
    ])
  })

  test('are only those with an operation', () => {
    expect(methodsOf({ post: null, get: 'yes', put: [], patch: {} })).toEqual(['PATCH'])
    expect(methodsOf({})).toEqual([])
  })
})

describe('the operation of a path', () => {
  const document = { paths: { '/v1/quote': { get: {}, post: {}, put: paid } } }

  test('is that of the requested method', () => {
    expect(documented(document, QUOTE, 'GET')?.operation?.method).toBe('GET')
  })

  test('is the paid one if no method was requested', () => {
    expect(documented(document, QUOTE)?.operation?.method).toBe('PUT')
  })

  test('is none if the path does not have that method', () => {
    expect(documented(document, QUOTE, 'DELETE')).toEqual({ methods: ['PUT', 'POST', 'GET'], operation: undefined })
    expect(documented({ paths: { '/v1/quote': {} } }, QUOTE)).toEqual({ methods: [], operation: undefined })
  })

  test('asks for nothing unless it says so', () => {
    expect(documented(document, QUOTE, 'GET')?.operation).toEqual({
      method: 'GET',
      inputSchema: undefined,
      body: undefined,
      query: {},
      headers: {},
    })
  })
})

describe('a path', () => {
  test.each([
    ['/v1/quote', true],
    ['/v1/{what}', true],
    ['/{version}/quote', true],
    ['/v1/quote/', false],
    ['/v1', false],
    ['/v1/quote/{pair}', false],
    ['/v1/rate', false],
    ['/v1/{what', false],
    ['/v1/what}', false],
    ['/v1/Quote', false],
  ])('%s fits /v1/quote: %s', (path, fits) => {
    expect(documented({ paths: { [path]: {} } }, QUOTE) !== undefined).toBe(fits)
  })

  test('has parameters that match any text except an empty one', () => {
    expect(documented({ paths: { '/v1/{what}': {} } }, new URL('https://api.example/v1/'))).toBeUndefined()
    expect(documented({ paths: { '/v1/': {} } }, new URL('https://api.example/v1/'))).toBeDefined()
  })

  test('takes precedence over another with more parameters', () => {
    const paths = {
      '/{a}/{b}': marked('two'),
      '/v1/{b}': marked('one'),
      '/{a}/quote': marked('another one'),
      '/v1/quote': marked('none'),
    }
    expect(markAt({ paths })).toBe('none')
    expect(markAt({ paths }, new URL('https://api.example/v1/rate'))).toBe('one')
    expect(markAt({ paths }, new URL('https://api.example/v2/rate'))).toBe('two')
  })

  test('is one of the first 2,000', () => {
    const others = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${at}x`, {}]))
    expect(markAt({ paths: { ...others(1_999), '/v1/quote': marked('last') } })).toBe('last')
    expect(markAt({ paths: { ...others(2_000), '/v1/quote': marked('late') } })).toBeUndefined()
  })
})

describe('the path of the first server', () => {
  test.each([
    ['slashes before its end', `/a${'/'.repeat(500_000)}b`],
    ['parts', '/a'.repeat(800_000)],
  ])('does not keep the process busy, however many %s it has', (_what, url) => {
    const paths = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`/${at}`, marked('far')]))
    expect(documented({ servers: [{ url }], paths }, QUOTE)).toBeUndefined()
  })

  test('ends before its final slashes, and is the beginning of what fits', () => {
    const servers = [{ url: '/api/v1///' }]
    const at = (path: string) => markAt({ servers, paths: { '/quote': marked('found') } }, new URL(path, QUOTE))
    expect([at('/api/v1/quote'), at('/api/v2/quote'), at('/api/v1/x/quote')]).toEqual(['found', undefined, undefined])
  })

  test.each<[string, unknown]>([
    ['whole', [{ url: 'https://other.example/v1' }, { url: '/v2' }]],
    ['with slashes at its end', [{ url: '/v1//' }]],
    ['without one at its beginning', [{ url: 'v1' }]],
  ])('is prefixed to the paths, given %s', (_what, servers) => {
    expect(markAt({ servers, paths: { '/quote': marked('below') } })).toBe('below')
  })

  test('may have several parts', () => {
    const document = { servers: [{ url: '/api/v1' }], paths: { '/quote': marked('deep') } }
    expect(markAt(document, new URL('https://api.example/api/v1/quote'))).toBe('deep')
  })

  test.each<[string, unknown]>([
    ['none', undefined],
    ['an empty list', []],
    ['the root', [{ url: '/' }]],
    ['no list', { url: '/v2' }],
    ['nothing in the list', [null]],
    ['a text in the list', ['/v2']],
    ['a number', [{ url: 7 }]],
    ['no URL', [{ url: 'http://[' }]],
  ])('is the root, given %s', (_what, servers) => {
    expect(markAt({ servers, paths: { '/v1/quote': marked('at the root') } })).toBe('at the root')
  })
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a list', [{ paths: {} }]],
  ['a text', 'openapi: 3.1.0'],
  ['an object without paths', {}],
  ['paths in a list', { paths: [{}] }],
  ['a path that is null', { paths: { '/v1/quote': null } }],
  ['a path in a list', { paths: { '/v1/quote': [] } }],
])('a document that is %s says nothing', (_what, document) => {
  expect(documented(document, QUOTE)).toBeUndefined()
})
