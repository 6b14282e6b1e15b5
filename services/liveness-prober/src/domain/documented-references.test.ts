import { describe, expect, test } from 'vitest'
import { documented } from './openapi.ts'

const URL_OF = new URL('https://api.example/quote')

/** The schema of the body, in a document with these components. */
function schemaOf(schema: unknown, components: unknown = {}): unknown {
  const post = { requestBody: { content: { 'application/json': { schema } } } }
  return documented({ paths: { '/quote': { post } }, components }, URL_OF)?.operation?.inputSchema
}
const ref = (name: string) => ({ $ref: `#/components/${name}` })

describe('a reference', () => {
  const pair = { type: 'string', enum: ['EUR'] }

  test('is followed within the document, in any position and through other references', () => {
    const components = { pair, other: ref('pair'), list: { anyOf: [ref('pair'), ref('other')] } }
    expect(schemaOf({ properties: { a: ref('other') }, items: ref('list') }, components)).toEqual({
      properties: { a: pair },
      items: { anyOf: [pair, pair] },
    })
  })

  test.each([
    ['a~1b', { 'a/b': pair }],
    ['a~0b', { 'a~b': pair }],
    ['a~01b', { 'a~1b': pair }],
    ['a~1b~1c~0d', { 'a/b/c~d': pair }],
    ['a/b', { a: { b: pair } }],
  ])('is a JSON pointer: %s', (pointer, components) => {
    expect(schemaOf(ref(pointer), components)).toEqual(pair)
  })

  test.each([
    ['another document', 'https://evil.example/a.json'],
    ['a fragment of another document', 'a.json#/components/pair'],
    ['a path without a fragment', '?/components/pair'],
    ['an anchor', '#pair'],
    ['the whole document', '#'],
    ['what is not there', '#/components/none/deeper'],
    ['what no object has of itself', '#/components/constructor'],
  ])('to %s does not resolve', (_what, $ref) => {
    expect(schemaOf({ a: { $ref }, b: 1 }, { pair })).toEqual({ a: undefined, b: 1 })
    expect(schemaOf({ $ref }, { pair })).toBeUndefined()
  })

  test('is a string, and a property of that name is no reference', () => {
    const schema = { properties: { $ref: { type: 'string' } } }
    expect(schemaOf(schema)).toEqual(schema)
  })

  test('to itself leaves no schema of the body', () => {
    expect(schemaOf(ref('loop'), { loop: { properties: { a: ref('loop') } } })).toBeUndefined()
    expect(schemaOf(ref('loop'), { loop: ref('loop') })).toBeUndefined()
  })

  test('may replace the whole body, a parameter or its example', () => {
    const components = {
      body: { content: { '*/*': { schema: pair } } },
      days: { name: 'days', in: 'query', required: true, examples: { one: ref('example') } },
      example: { value: 7 },
    }
    const post = { requestBody: ref('body'), parameters: [ref('days')] }
    expect(documented({ paths: { '/quote': { post } }, components }, URL_OF)?.operation).toMatchObject({
      inputSchema: pair,
      query: { days: '7' },
    })
  })
})

describe('a schema is read up to 48 levels deep in its body, where its own root is the third level', () => {
  const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown =>
    Array.from({ length: levels }).reduce<unknown>(wrap, 'end')

  test.each<[string, (inner: unknown) => unknown]>([
    ['members', (inner) => ({ a: inner })],
    ['lists', (inner) => [inner]],
  ])('with %s', (_what, wrap) => {
    expect(schemaOf({ a: nested(44, wrap) })).toEqual({ a: nested(44, wrap) })
    expect(schemaOf({ a: nested(45, wrap) })).toBeUndefined()
  })

  test('with references', () => {
    const chain = (length: number) =>
      Object.fromEntries([
        ...Array.from({ length }, (_, at) => [`${at}`, ref(`${at + 1}`)]),
        [`${length}`, { type: 'null' }],
      ])
    expect(schemaOf(ref('0'), chain(43))).toEqual({ type: 'null' })
    expect(schemaOf(ref('0'), chain(44))).toBeUndefined()
  })
})

test('a schema is read up to 10,000 values of its body', () => {
  // The body, its content, its type, the schema and the list are five of them.
  const schema = (length: number) => ({ enum: Array(length).fill(1) })
  expect(schemaOf(schema(9_995))).toEqual(schema(9_995))
  expect(schemaOf(schema(9_996))).toBeUndefined()
})
