import { describe, expect, test } from 'vitest'
import { mirrorUrl } from '../resource.ts'
import { openapiDocument } from './openapi.ts'
import { NotThatDocument } from './read.ts'

const AT = new URL('https://a.example/doc')
const paid = { 'x-payment-info': {} }
const read = (paths: object, more: object = {}) =>
  openapiDocument(JSON.stringify({ openapi: '3.1.0', paths, ...more }), AT)
const resourceOf = (operation: object, path = '/q', more: object = {}) =>
  read({ [path]: { get: { ...paid, ...operation } } }, more).resources[0]

describe('openapiDocument', () => {
  test('default: returns what an operation says of itself, as its own origin’s word', () => {
    const schema = { type: 'object' }
    const operation = {
      ...{ summary: 'Ask', operationId: 'ask', description: 'Answers', tags: ['ai'] },
      requestBody: { content: { 'application/json': { schema } } },
    }
    expect(resourceOf(operation)).toEqual({
      ...{ url: 'https://a.example/q', method: 'get', title: 'Ask', description: 'Answers', tags: ['ai'] },
      ...{ accepts: [], inputSchema: schema, isOwnWord: true },
    })
  })

  test('behavior: each method of a path is an operation', () => {
    const methods = ['get', 'post', 'put', 'patch', 'delete']
    const item = Object.fromEntries([...methods, 'head', 'parameters'].map((method) => [method, paid]))
    const { resources, entries } = read({ '/q': item })
    expect([resources.map(({ method }) => method), entries]).toEqual([methods, 5])
  })

  test('behavior: an unpaid operation, or a value that is not one, is no entry', () => {
    const unpaid = { get: {}, post: { 'x-payment-info': true }, put: 'paid', patch: null }
    expect(read({ '/q': unpaid, '/r': 'paid', '/s': null })).toEqual({ resources: [], leftOut: {}, entries: 0 })
  })

  test.each([
    ['no servers', {}, 'https://a.example/q'],
    ['servers that are no list', { servers: { url: '/v1' } }, 'https://a.example/q'],
    ['an empty list of them', { servers: [] }, 'https://a.example/q'],
    ['one that is none', { servers: [7] }, 'https://a.example/q'],
    ['a relative one', { servers: [{ url: '/v1' }] }, 'https://a.example/v1/q'],
    ['one that ends in a slash', { servers: [{ url: '/v1/' }] }, 'https://a.example/v1/q'],
    ['the first of two', { servers: [{ url: '/v1/x' }, { url: '/v2' }] }, 'https://a.example/v1/x/q'],
    ['an absolute one', { servers: [{ url: 'https://a.example/v3?x=1' }] }, 'https://a.example/v3/q'],
  ])('behavior: the URL is resolved with %s', (_what, more, url) => expect(resourceOf({}, '/q', more)?.url).toBe(url))

  test.each(['https://b.example', 'http://a.example', 'https://'])(
    'behavior: a server %s is of another origin',
    (url) => {
      expect(read({ '/q': { get: paid } }, { servers: [{ url }] })).toEqual({
        ...{ resources: [], leftOut: { origin: 1 }, entries: 1 },
      })
    },
  )

  test('behavior: whatever is too long for a URL is not built, and is no resource that is imported', () => {
    const longest = 450_000
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`/${at}`, { get: paid }]))
    const { resources } = read(many, { servers: [{ url: `/${'a'.repeat(longest)}` }] })
    expect(resources).toHaveLength(2_000)
    expect(resources.every(({ url }) => String(url).length < 3_000 && mirrorUrl(url) === undefined)).toBe(true)
    const named = { in: 'path', name: 'a', example: 'é'.repeat(128) }
    const templates = { [`/${'{a}'.repeat(longest / 3)}`]: { parameters: [named], get: paid } }
    expect(read(templates).leftOut).toEqual({ template: 1 })
  })

  test('behavior: of a path’s parameters the last sixty-four fill it', () => {
    const others = (count: number) => Array.from({ length: count }, () => ({ in: 'path', name: 'b' }))
    const filled = (count: number) => {
      const parameters = [{ in: 'path', name: 'a', example: 'x' }, ...others(count)]
      return read({ '/{a}': { parameters, get: paid } }).resources.length
    }
    expect([filled(63), filled(64)]).toEqual([1, 0])
  })

  test('behavior: a path without a leading slash is left out, like a path parameter without a value', () => {
    expect(read({ q: { get: paid }, '.b.example/': { get: paid } }).leftOut).toEqual({ template: 2 })
  })
})

describe('parameters of a path', () => {
  const filled = (parameter: unknown, path = '/q/{id}') => resourceOf({ parameters: [parameter] }, path)?.url
  const place = (more: object) => ({ in: 'path', name: 'id', ...more })

  test.each([
    ['its example', { example: 'a', schema: { example: 'b' } }, 'a'],
    ['the example of its schema', { schema: { example: 'b', default: 'c' } }, 'b'],
    ['its default', { schema: { default: 'c', examples: ['d'] } }, 'c'],
    ['the first of its examples', { schema: { examples: ['d', 'x'], enum: ['e'] } }, 'd'],
    ['the first of its values', { schema: { enum: [null, 'e', 'f'] } }, 'e'],
    ['a number, also 0', { example: 0 }, '0'],
    ['text that is escaped', { example: 'a b/c' }, 'a%20b%2Fc'],
    ['no more than 128 characters', { example: 'x'.repeat(129) }, 'x'.repeat(128)],
  ])('default: are filled by %s', (_what, more, text) =>
    expect(filled(place(more))).toBe(`https://a.example/q/${text}`),
  )

  test.each([
    ['no example', place({})],
    ['an empty one', place({ example: '' })],
    ['one that is no text', place({ example: { a: 1 } })],
    ['a schema that is none', place({ schema: 'text' })],
    ['another place', { in: 'query', name: 'id', example: 'a' }],
    ['another name', { in: 'path', name: 'other', example: 'a' }],
    ['no parameter', 7],
  ])('behavior: are not filled by %s', (_what, parameter) => expect(filled(parameter)).toBeUndefined())

  test('behavior: an operation’s parameter takes precedence over its path’s, each by its own name', () => {
    const get = { ...paid, parameters: [place({ example: 'mine' })] }
    const parameters = [place({ example: 'ours' }), { in: 'path', name: 'b', example: 'B' }]
    expect(read({ '/{id}/{b}/{id}': { get, parameters } }).resources[0]?.url).toBe('https://a.example/mine/B/mine')
    expect(
      read({ '/{id}/{b}': { get: { ...paid, parameters: 'none' }, parameters: [parameters[1]] } }).leftOut,
    ).toEqual({
      template: 1,
    })
  })

  test('behavior: braces that name no parameter stay as they are', () => {
    for (const path of [`/{${'x'.repeat(65)}}`, '/{}', '/{a/b}']) expect(resourceOf({}, path)?.url).toContain('%7B')
  })
})

describe('what an operation says of its price', () => {
  const accepts = (info: object) => resourceOf({ 'x-payment-info': info })?.accepts

  test('default: is a way to pay by each protocol', () => {
    const protocols = [{ x402: {}, mpp: {} }, 'x402', null, { other: {} }]
    expect(accepts({ price: { amount: '0.1', min: '0.2', currency: 'USD' }, protocols })).toEqual(
      ['x402', 'mpp', 'other'].map((scheme) => ({ scheme, amount: '0.1', asset: 'USD' })),
    )
  })

  test('behavior: is the minimum if there is no other price, and nothing if there is none', () => {
    const protocols = [{ x402: {} }]
    expect(accepts({ price: { min: '0.2' }, protocols })).toEqual([{ scheme: 'x402', amount: '0.2', asset: undefined }])
    expect(accepts({ price: '0.1', protocols })).toEqual([{ scheme: 'x402', amount: undefined, asset: undefined }])
    expect(accepts({ protocols: 'x402' })).toEqual([])
  })

  test('behavior: names at most four protocols of an entry', () => {
    expect(accepts({ protocols: [{ a: 1, b: 1, c: 1, d: 1, e: 1 }] })).toHaveLength(4)
  })
})

test.each<[unknown]>([
  [undefined],
  ['body'],
  [{}],
  [{ content: 'json' }],
  [{ content: { 'text/plain': { schema: {} } } }],
  [{ content: { 'application/json': 'schema' } }],
  [{ content: { 'application/json': { schema: 'text' } } }],
  [{ content: { 'application/json': { schema: { $ref: '#/a' } } } }],
])('a body of %j has no usable schema', (requestBody) => {
  expect(resourceOf({ requestBody })?.inputSchema).toBeUndefined()
})

test('of an endless document 2,000 paths are read', () => {
  const paths = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`/${at}`, { get: paid }]))
  expect(read(paths).entries).toBe(2_000)
})

test.each([
  [null],
  [[]],
  [{ openapi: '3.1.0' }],
  [{ openapi: '3.1.0', paths: [] }],
  [{ openapi: 3, paths: {} }],
  [{ paths: {} }],
])('error: %j is no OpenAPI document', (document) => {
  expect(() => openapiDocument(JSON.stringify(document), AT)).toThrow(NotThatDocument)
})
