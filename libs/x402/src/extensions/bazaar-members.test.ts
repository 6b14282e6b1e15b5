import { describe, expect, test } from 'vitest'
import { readBazaar, readOutputSchema, refersElsewhere } from './bazaar.ts'

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } }
const offering = (input: object, more: object = {}) => readBazaar({ bazaar: { info: { input }, ...more } })
const selling = (input: object, output?: unknown) =>
  readOutputSchema({ outputSchema: { input: { type: 'http', ...input }, output } })

describe('readBazaar', () => {
  test('default: reports only the type where the offer has only an input type', () => {
    expect(offering({ type: 'http' })).toStrictEqual({ metadataEvidence: 'bazaar', type: 'http' })
    expect(offering({ type: 'mcp' })).toStrictEqual({ metadataEvidence: 'bazaar', type: 'mcp' })
  })

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('default: %s in any letter case', (method) => {
    expect(offering({ type: 'http', method })).toMatchObject({ method })
    expect(offering({ type: 'http', method: method.toLowerCase() })).toMatchObject({ method })
  })

  test.each(['', 'OPTIONS', 7, null, ['GET']])('error: %j is not a method', (method) => {
    expect(offering({ type: 'http', method })).not.toHaveProperty('method')
  })

  test('behavior: a tool has no method, and a name only where it is text', () => {
    expect(offering({ type: 'mcp', method: 'GET', toolName: 7 })).toStrictEqual({
      metadataEvidence: 'bazaar',
      type: 'mcp',
    })
    expect(offering({ type: 'mcp', toolName: 'weather', tool: 'other' })).toMatchObject({ toolName: 'weather' })
  })

  test('behavior: a body takes precedence over a query, and an empty or foreign schema is ignored', () => {
    const of = (properties: object) => offering({ type: 'http' }, { schema: { properties: { input: { properties } } } })
    const query = { type: 'object', properties: {} }
    expect(of({ body: SCHEMA, queryParams: query })).toMatchObject({ inputSchema: SCHEMA })
    expect(of({ body: {}, queryParams: query })).toMatchObject({ inputSchema: query })
    expect(of({ body: [SCHEMA] })).not.toHaveProperty('inputSchema')
    expect(offering({ type: 'mcp', inputSchema: {} })).not.toHaveProperty('inputSchema')
    expect(offering({ type: 'http', inputSchema: SCHEMA })).not.toHaveProperty('inputSchema')
  })

  test.each<[unknown, boolean]>([
    ['/users/:id', true],
    ['/%7Euser/a.b-c_d~', true],
    [`/${'x'.repeat(512)}`, true],
    [`/${'x'.repeat(513)}`, false],
    ['/', false],
    ['users/:id', false],
    ['/users?', false],
    ['/a%25b', false],
    ['/x%3A%2F%2Fy', false],
    [['/users/:id'], false],
  ])('behavior: the route template %.30s is kept: %j', (routeTemplate, isKept) => {
    const kept = isKept ? { routeTemplate } : {}
    expect(offering({ type: 'http' }, { routeTemplate })).toStrictEqual({
      metadataEvidence: 'bazaar',
      type: 'http',
      ...kept,
    })
    expect(readBazaar({ bazaar: { info: { input: { type: 'http' }, routeTemplate } } })).toMatchObject(kept)
  })

  test('error: prototype members are not part of the offer', () => {
    expect(readBazaar({ bazaar: { info: { input: { type: 'mcp', toolName: undefined } } } })).not.toHaveProperty(
      'toolName',
    )
    expect(readBazaar({ other: { info: { input: { type: 'http' } } } })).toBeUndefined()
  })
})

describe('refersElsewhere', () => {
  test.each<[unknown, boolean]>([
    [{ $ref: 'other.json' }, true],
    [{ $ref: '' }, true],
    [[{ a: { $ref: 'other.json#/a' } }], true],
    [{ $ref: '#' }, false],
    [{ $ref: 7 }, false],
    [{ $ref: { $ref: 'other.json' } }, true],
    [{ ref: 'other.json' }, false],
    ['other.json', false],
    [null, false],
  ])('default: %j gives %j', (schema, refers) => {
    expect(refersElsewhere(schema)).toBe(refers)
  })
})

describe('readOutputSchema', () => {
  test('default: reads an entry that has only a type', () => {
    expect(selling({})).toStrictEqual({ metadataEvidence: 'output-schema', type: 'http' })
    expect(selling({ discoverable: true, method: 'BREW' })).toStrictEqual(selling({}))
  })

  test.each(['mcp', 'ftp', undefined])('error: an input of type %s is ignored', (type) => {
    expect(selling({ type })).toBeUndefined()
  })

  const fields = (name: string) => ({ [name]: { type: 'string' } })
  const names = ['bodyFields', 'body_fields', 'bodyParams', 'body', 'queryParams', 'query_params', 'query', 'params']

  test.each(names)('behavior: reads fields under %s', (key) => {
    expect(selling({ [key]: fields(key) })?.inputSchema).toStrictEqual({ type: 'object', properties: fields(key) })
  })

  test('behavior: the earliest of those names counts, and a value that is not an object is skipped', () => {
    names.slice(0, -1).forEach((key, at) => {
      const later = { [names[at + 1] as string]: fields('later') }
      expect(selling({ ...later, [key]: fields('first') })?.inputSchema).toMatchObject({ properties: fields('first') })
      expect(selling({ ...later, [key]: 'text' })?.inputSchema).toMatchObject({ properties: fields('later') })
    })
  })

  test.each(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])(
    'behavior: reads a field of type %s',
    (type) => {
      expect(selling({ body: { a: type } })?.inputSchema).toStrictEqual({ type: 'object', properties: { a: { type } } })
    },
  )

  test('behavior: only true makes a field required', () => {
    const body = { a: { required: true }, b: { required: 'true' }, c: { required: false }, d: 7 }
    expect(selling({ body })?.inputSchema).toStrictEqual({
      type: 'object',
      properties: { a: {}, b: {}, c: {}, d: {} },
      required: ['a'],
    })
  })

  test.each<[unknown, object]>([
    [{ type: 'object' }, { outputSchema: { type: 'object' } }],
    [{ properties: { a: {} } }, { outputSchema: { properties: { a: {} } } }],
    [{ type: 7 }, { outputExample: { type: 7 } }],
    [{ properties: [] }, { outputExample: { properties: [] } }],
    [{ type: 'object', $ref: 'https://evil.example/schema.json' }, {}],
    ['sunny', { outputExample: 'sunny' }],
    [['a'], { outputExample: ['a'] }],
    [0, { outputExample: 0 }],
    [null, {}],
  ])('behavior: from the output %j reports %j', (output, told) => {
    expect(selling({}, output)).toStrictEqual({ metadataEvidence: 'output-schema', type: 'http', ...told })
  })
})
