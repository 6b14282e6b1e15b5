import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleInput } from './sample-input.ts'

const sample = (schema: Record<string, unknown>) => JSON.parse(sampleInput(schema))

describe('sampleInput', () => {
  test('default: the required members, each by its type', () => {
    const properties = {
      text: { type: 'string', minLength: 8 },
      when: { type: 'string', format: 'date-time' },
      count: { type: 'integer', minimum: 3 },
      ok: { type: 'boolean' },
      list: { type: 'array', items: { type: 'number' }, minItems: 1 },
      nested: { type: 'object', properties: { a: { type: 'null' } }, required: ['a'] },
      left: { type: 'string' },
    }
    const required = ['text', 'when', 'count', 'ok', 'list', 'nested']
    expect(sample({ type: 'object', properties, required })).toEqual({
      text: 'probe---',
      when: '2026-01-01T00:00:00Z',
      count: 3,
      ok: true,
      list: [1],
      nested: { a: null },
    })
  })

  test('behavior: what the schema gives counts first', () => {
    const properties = { a: { const: 'x' }, b: { examples: ['y'] }, c: { default: 0 }, d: { enum: ['z'] } }
    expect(sample({ properties, required: ['a', 'b', 'c', 'd'] })).toEqual({ a: 'x', b: 'y', c: 0, d: 'z' })
  })

  test('behavior: an unknown schema gives an empty object, a self-made giant too', () => {
    expect(sampleInput(undefined)).toBe('{}')
    expect(sampleInput({ type: 'object', default: 'x'.repeat(100_000) })).toBe('{}')
  })

  test('behavior: any JSON for a schema gives bounded JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (schema) => {
        const text = sampleInput(schema)
        JSON.parse(text)
        expect(text.length).toBeLessThanOrEqual(8 * 1024)
      }),
    )
  })
})
