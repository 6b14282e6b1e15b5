import { describe, expect, test } from 'vitest'
import { jsonShown, membersOf } from './json-shown.ts'

describe('jsonShown', () => {
  test('default: indents', () => {
    expect(jsonShown({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}')
    expect(jsonShown(null)).toBe('null')
  })

  const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown

  test('behavior: what is deep is not indented, so that it takes no more space than it was sent with', () => {
    expect(jsonShown(nested(16))).toContain('\n')
    for (const depth of [17, 2_000]) expect(jsonShown(nested(depth))).toHaveLength(2 * depth)
  })

  test('behavior: what is long is not shown', () => {
    const ofLength = (characters: number) => 'x'.repeat(characters - '""'.length)
    expect(jsonShown(ofLength(20_000))).toHaveLength(20_000)
    expect(jsonShown(ofLength(20_001))).toBeUndefined()
  })
})

describe('membersOf', () => {
  test('default: names each member with its type, its description, and whether it is required', () => {
    const properties = {
      city: { type: 'string', description: 'Where' },
      days: { type: ['integer', 'null'] },
      unit: { enum: ['C', 'F'] },
      kind: { const: 'x' },
      any: true,
    }
    expect(membersOf({ properties, required: ['city', 'unit'] })).toEqual([
      { name: 'city', type: 'string', isRequired: true, description: 'Where' },
      { name: 'days', type: 'integer or null', isRequired: false, description: '' },
      { name: 'unit', type: '"C" or "F"', isRequired: true, description: '' },
      { name: 'kind', type: '"x"', isRequired: false, description: '' },
      { name: 'any', type: 'any', isRequired: false, description: '' },
    ])
  })

  test.each([{}, { properties: null }, { properties: [1] }, { properties: 'text' }])(
    'behavior: none of %j',
    (schema) => {
      expect(membersOf(schema)).toEqual([])
    },
  )

  test('behavior: what is not of the schema’s form is left out, and many members are cut', () => {
    const odd = { properties: { a: { type: 7, enum: [], description: { deep: 1 } } }, required: 'a' }
    expect(membersOf(odd)).toEqual([{ name: 'a', type: 'any', isRequired: false, description: '' }])
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`m${at}`, {}]))
    expect(membersOf({ properties: many })).toHaveLength(50)
    expect(membersOf({ properties: { a: { enum: Array.from({ length: 11 }, (_, at) => at) } } })[0]?.type).toBe('any')
  })
})
