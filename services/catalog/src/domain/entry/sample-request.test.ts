import { describe, expect, test } from 'vitest'
import { sampleRequest } from './sample-request.ts'

const URL = 'https://api.example/ask?lang=en'
const schema = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

describe('sampleRequest', () => {
  test('a body is what its seller gave, else the least that the schema accepts, else nothing', () => {
    const inputSchema = schema({ q: { type: 'string', const: 'tide' } })
    const post = { method: 'POST', url: URL } as const
    expect(sampleRequest(post, { inputSchema, sample: { body: { q: 'wind' } } })).toEqual({
      ...{ input: { q: 'wind' }, url: URL, body: '{"q":"wind"}' },
    })
    expect(sampleRequest(post, { inputSchema })).toMatchObject({ input: { q: 'tide' }, body: '{"q":"tide"}' })
    const inputExample = { q: 'gale' }
    expect(sampleRequest(post, { inputSchema, inputExample }).input).toEqual({ q: 'gale' })
    expect(sampleRequest(post, { inputExample, sample: { body: { q: 'wind' } } }).input).toEqual({ q: 'wind' })
    expect(sampleRequest({ method: 'GET', url: URL }, { inputExample }).url).toContain('q=gale')
    expect(sampleRequest(post, {})).toEqual({ input: null, url: URL, body: undefined })
  })

  test('a method without a body puts its input in the query, and keeps what the URL already says', () => {
    const inputSchema = schema({ q: { const: 'a&b' }, lang: { const: 'fr' }, deep: { type: 'object' } })
    const { url, body } = sampleRequest({ method: 'GET', url: URL }, { inputSchema, sample: { query: { n: '1' } } })
    expect([url, body]).toEqual(['https://api.example/ask?lang=en&n=1', undefined])
    expect(sampleRequest({ method: 'GET', url: URL }, { inputSchema }).url).toBe(
      'https://api.example/ask?lang=en&q=a%26b',
    )
  })

  test.each(['POST', 'PUT', 'PATCH'] as const)(
    '%s sends its input as the body, and a query if its seller gave one',
    (method) => {
      const sample = { body: { q: 1 }, query: { n: '1' } }
      expect(sampleRequest({ method, url: URL }, { sample })).toEqual({
        ...{ input: { q: 1 }, url: `${URL}&n=1`, body: '{"q":1}' },
      })
    },
  )

  test.each(['GET', 'DELETE'] as const)('%s has no body, even if its seller gave one', (method) => {
    expect(sampleRequest({ method, url: URL }, { sample: { body: { q: 1 } } })).toMatchObject({
      ...{ url: URL, body: undefined },
    })
  })

  test('a body is made from the schema that its seller gave with the sample, not from that of the listing', () => {
    const sample = { schema: schema({ q: { const: 'wind' } }) }
    const inputSchema = schema({ q: { const: 'tide' } })
    expect(sampleRequest({ method: 'POST', url: URL }, { inputSchema, sample }).body).toBe('{"q":"wind"}')
  })

  test('a query holds text, numbers and booleans, but no lists, objects or null', () => {
    const inputSchema = schema({
      ...{ s: { const: 'a' }, n: { const: 7 }, b: { const: false } },
      ...{ list: { const: [1] }, none: { const: null }, deep: { const: { a: 1 } } },
    })
    const { url } = sampleRequest({ method: 'GET', url: 'https://api.example/ask' }, { inputSchema })
    expect(url).toBe('https://api.example/ask?s=a&n=7&b=false')
  })

  test('without a schema and a sample, the query is what the URL says', () => {
    expect(sampleRequest({ method: 'GET', url: URL }, {})).toEqual({ input: null, url: URL, body: undefined })
    expect(sampleRequest({ method: 'GET', url: URL }, { inputSchema: { const: 'text' } }).url).toBe(URL)
  })

  test('characters that hide or reorder text are escaped, and the body is the same JSON', () => {
    const input = { q: 'a\u202eb\u200bc\u0085\ufeffé🙂' }
    const { body = '' } = sampleRequest({ method: 'POST', url: URL }, { sample: { body: input } })
    expect(body).toBe('{"q":"a\\u202eb\\u200bc\\u0085\\ufeffé🙂"}')
    expect(JSON.parse(body)).toEqual(input)
  })

  test.each([
    ['tags, in which a text can hide that a model reads', '\u{e0041}', '\\udb40\\udc41'],
    ['a variation selector', '\ufe0f', '\\ufe0f'],
    ['a filler', '\u3164', '\\u3164'],
  ])('%s are escaped too', (_what, hidden, escaped) => {
    const inputExample = { q: hidden }
    const { body = '' } = sampleRequest({ method: 'POST', url: URL }, { inputExample })
    expect(body).toBe(`{"q":"${escaped}"}`)
    expect(JSON.parse(body)).toEqual(inputExample)
  })

  test('an example that names a prototype, or half a character, is data', () => {
    const inputExample = JSON.parse('{"__proto__":{"a":1},"constructor":"x","half":"\\ud800"}')
    const { body = '', url } = sampleRequest({ method: 'POST', url: URL }, { inputExample })
    expect(body).toBe('{"__proto__":{"a":1},"constructor":"x","half":"\\ud800"}')
    expect(sampleRequest({ method: 'GET', url }, { inputExample }).url).toBe(`${URL}&constructor=x&half=%EF%BF%BD`)
  })
})
