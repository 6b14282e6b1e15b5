import { describe, expect, test } from 'vitest'
import { documented } from './openapi.ts'

const URL_OF = new URL('https://api.example/quote')

/** What the document says about the request, by the operation and by its path. */
function requestOf(operation: object, item: object = {}) {
  const told = documented({ paths: { '/quote': { ...item, post: operation } } }, URL_OF)?.operation
  if (!told) throw new Error('the path is there')
  return told
}
const bodyOf = (content: unknown) => requestOf({ requestBody: { content } })

describe('the body', () => {
  const schema = { type: 'object', required: ['pair'] }

  test.each(['application/json', '*/*'])('has the schema and the example of %s', (type) => {
    expect(bodyOf({ [type]: { schema, example: { pair: 'EUR' } } })).toMatchObject({
      inputSchema: schema,
      body: { pair: 'EUR' },
    })
  })

  test('is JSON rather than any other type', () => {
    const content = { '*/*': { example: 'any' }, 'application/json': { example: 'json' } }
    expect(bodyOf(content).body).toBe('json')
  })

  test('of another type is ignored', () => {
    expect(bodyOf({ 'text/xml': { schema, example: '<a/>' } })).toMatchObject({
      inputSchema: undefined,
      body: undefined,
    })
  })

  test('has the single example rather than several, and of several the first', () => {
    const examples = { first: { value: [1] }, second: { value: [2] } }
    expect(bodyOf({ 'application/json': { example: 0, examples } }).body).toBe(0)
    expect(bodyOf({ 'application/json': { examples } }).body).toEqual([1])
  })

  test.each([[undefined], [null], ['text'], [[]], [{ 'application/json': null }], [{ 'application/json': [{}] }]])(
    'is none for the content %j',
    (content) => {
      expect(bodyOf(content)).toMatchObject({ inputSchema: undefined, body: undefined })
    },
  )

  test.each([[{}], [{ first: 'text' }], [[{ value: 1 }]], ['text'], [null]])('has no example in %j', (examples) => {
    expect(bodyOf({ 'application/json': { schema: true, examples } })).toMatchObject({
      inputSchema: undefined,
      body: undefined,
    })
  })
})

const query = (name: unknown, more: object = {}) => ({ name, in: 'query', required: true, ...more })
const queryOf = (...parameters: unknown[]) => requestOf({ parameters }).query

describe('the query', () => {
  test('has the required parameters, by their example or else by their schema', () => {
    expect(
      queryOf(
        query('text', { example: 'EUR' }),
        query('number', { example: 7 }),
        query('list', { example: ['a', 'b'] }),
        query('named', { examples: { one: { value: 'x' } }, schema: { default: 'y' } }),
        query('default', { schema: { type: 'string', default: 'd' } }),
        query('made', { schema: { type: 'integer', minimum: 3 } }),
        query('unknown'),
        query('any', { schema: true }),
      ),
    ).toEqual({
      text: 'EUR',
      number: '7',
      list: '["a","b"]',
      named: 'x',
      default: 'd',
      made: '3',
      unknown: 'probe',
      any: 'probe',
    })
  })

  test('has no parameter that is optional, unnamed or located elsewhere', () => {
    expect(
      queryOf(
        query('optional', { required: false }),
        query('hardly', { required: 'true' }),
        query(7),
        query(undefined),
        query('id', { in: 'path' }),
        query('x-unit', { in: 'header', example: 'a' }),
        'text',
        null,
      ),
    ).toEqual({})
  })

  test('has values of up to 512 characters', () => {
    const [fits, long] = ['x'.repeat(512), 'x'.repeat(513)]
    expect(queryOf(query('fits', { example: fits }), query('long', { example: long }))).toEqual({ fits })
  })

  test('combines path and operation, and the operation takes precedence', () => {
    const parameters = [query('a', { example: 'path' }), query('b', { example: 'path' })]
    expect(requestOf({ parameters: [query('b', { example: 'own' })] }, { parameters }).query).toEqual({
      a: 'path',
      b: 'own',
    })
  })

  test('is taken from the first 16 parameters, optional ones included', () => {
    const optional = Array.from({ length: 15 }, (_, at) => query(`${at}`, { required: false }))
    expect(queryOf(...optional, query('sixteenth'), query('seventeenth'))).toEqual({ sixteenth: 'probe' })
    expect(requestOf({}, { parameters: [...optional, query('sixteenth')] }).query).toEqual({ sixteenth: 'probe' })
  })
})

const header = (name: unknown, more: object = {}) => ({ name, in: 'header', required: true, ...more })
const headersOf = (...parameters: unknown[]) => requestOf({ parameters }).headers

describe('the headers', () => {
  test('are the required ones that have a value, by lower-case name', () => {
    expect(
      headersOf(
        header('X-Unit', { example: 'metric' }),
        header('X-Days', { example: 7 }),
        header('X-Api-Version', { schema: { default: '2' } }),
        header('Accept-Language', { schema: { enum: ['de'] } }),
      ),
    ).toEqual({ 'x-unit': 'metric', 'x-days': '7', 'x-api-version': '2', 'accept-language': 'de' })
  })

  test.each([
    ['has no value', header('X-Unit', { schema: { type: 'string' } })],
    ['has no schema', header('X-Unit')],
    ['is not required', header('X-Unit', { required: false, example: 'a' })],
    ['is no header', { ...header('X-Unit', { example: 'a' }), in: 'cookie' }],
    ['has no name', header(7, { example: 'a' })],
    ['carries a credential', header('Authorization', { example: 'Bearer stolen' })],
    ['carries a key', header('X-Api-Key', { example: 'stolen' })],
    ['says where the request is from', header('X-Forwarded-For', { example: '10.0.0.1' })],
    ['breaks its line', header('X-Lines', { example: 'a\r\nb: c' })],
  ])('leave out one that %s', (_what, parameter) => {
    expect(headersOf(parameter, header('x-kept', { example: 'a' }))).toEqual({ 'x-kept': 'a' })
  })

  test('are at most eight', () => {
    const nine = Array.from({ length: 9 }, (_, at) => header(`x-${at}`, { example: 'a' }))
    expect(Object.keys(headersOf(...nine))).toEqual(['x-0', 'x-1', 'x-2', 'x-3', 'x-4', 'x-5', 'x-6', 'x-7'])
  })
})
