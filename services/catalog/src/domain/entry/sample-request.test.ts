import { describe, expect, test } from 'vitest'
import { sampleRequest } from './sample-request.ts'

const URL = 'https://api.example/ask?lang=en'
const schema = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

describe('sampleRequest', () => {
  test('a body is what its seller gave, else the least that the schema lets pass, else nothing', () => {
    const inputSchema = schema({ q: { type: 'string', const: 'tide' } })
    const post = { method: 'POST', url: URL } as const
    expect(sampleRequest(post, { inputSchema, sample: { body: { q: 'wind' } } })).toEqual({
      ...{ input: { q: 'wind' }, url: URL, body: '{"q":"wind"}' },
    })
    expect(sampleRequest(post, { inputSchema })).toMatchObject({ input: { q: 'tide' }, body: '{"q":"tide"}' })
    expect(sampleRequest(post, {})).toEqual({ input: null, url: URL, body: undefined })
  })

  test('a method without a body has its input in the query, and what the URL says already stays', () => {
    const inputSchema = schema({ q: { const: 'a&b' }, lang: { const: 'fr' }, deep: { type: 'object' } })
    const { url, body } = sampleRequest({ method: 'GET', url: URL }, { inputSchema, sample: { query: { n: '1' } } })
    expect([url, body]).toEqual(['https://api.example/ask?lang=en&n=1', undefined])
    expect(sampleRequest({ method: 'GET', url: URL }, { inputSchema }).url).toBe(
      'https://api.example/ask?lang=en&q=a%26b',
    )
  })

  test('marks that hide or turn text stand as escapes, and the body is the same JSON', () => {
    const input = { q: 'a\u202eb\u200bc\u0085\ufeffé🙂' }
    const { body = '' } = sampleRequest({ method: 'POST', url: URL }, { sample: { body: input } })
    expect(body).toBe('{"q":"a\\u202eb\\u200bc\\u0085\\ufeffé🙂"}')
    expect(JSON.parse(body)).toEqual(input)
  })
})
