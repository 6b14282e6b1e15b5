import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleInput } from './sample-input.ts'

const sample = (schema: Record<string, unknown>) => JSON.parse(sampleInput(schema))

describe('sampleInput', () => {
  test('default: has the required members, each by its type', () => {
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

  test('behavior: it has as many members as the schema needs, the first that are described', () => {
    const properties = { a: { type: 'integer' }, b: { const: 'x' }, c: { type: 'boolean' } }
    expect(sample({ properties, minProperties: 1 })).toEqual({ a: 1 })
    expect(sample({ properties, required: ['b'], minProperties: 2 })).toEqual({ b: 'x', a: 1 })
    expect(sample({ properties, required: ['b'], minProperties: 1 })).toEqual({ b: 'x' })
    expect(sample({ properties, minProperties: 9 })).toEqual({ a: 1, b: 'x', c: true })
    expect(sample({ properties, minProperties: '2' })).toEqual({})
  })

  test('behavior: a value that the schema gives takes precedence', () => {
    const properties = { a: { const: 'x' }, b: { examples: ['y'] }, c: { default: 0 }, d: { enum: ['z'] } }
    expect(sample({ properties, required: ['a', 'b', 'c', 'd'] })).toEqual({ a: 'x', b: 'y', c: 0, d: 'z' })
    const given = [{ const: 1 }, { examples: [2] }, { example: 3 }, { default: 4 }, { enum: [5] }]
    for (const [at, one] of given.entries()) {
      expect(sample(Object.assign({}, ...given.slice(at).toReversed(), one))).toBe(at + 1)
    }
  })

  test.each([
    ['date', '2026-01-01'],
    ['date-time', '2026-01-01T00:00:00Z'],
    ['email', 'probe@example.com'],
    ['uri', 'https://example.com/'],
    ['url', 'https://example.com/'],
    ['uuid', '00000000-0000-4000-8000-000000000000'],
    ['regex', 'probe'],
    ['constructor', 'probe'],
    [7, 'probe'],
  ])('behavior: a text of format %s is %s', (format, text) => {
    expect(sample({ type: 'string', format })).toBe(text)
  })

  test('behavior: a text has its minimum length, up to 256 characters', () => {
    expect(sample({ type: 'string', minLength: 6 })).toBe('probe-')
    expect(sample({ type: 'string', minLength: 257 })).toBe(`probe${'-'.repeat(251)}`)
    expect(sample({ type: 'string', minLength: '8' })).toBe('probe')
  })

  test('behavior: a list has an item only where it needs one and the schema describes it', () => {
    const items = { type: 'boolean' }
    expect(sample({ type: 'array', items, minItems: 1 })).toEqual([true])
    expect(sample({ type: 'array', items })).toEqual([])
    expect(sample({ type: 'array', items, minItems: 0 })).toEqual([])
    expect(sample({ type: 'array', minItems: 1 })).toEqual([])
  })

  test('behavior: a type can be one of several, or follow from the properties', () => {
    expect(sample({ type: ['null', 'string'] })).toBeNull()
    expect(sample({ properties: {} })).toEqual({})
    expect(sample({ properties: {}, type: 'string' })).toBe('probe')
    expect(sample({})).toBe('probe')
    expect(sample({ type: 'integer' })).toBe(1)
    expect(sample({ type: 'number', minimum: 0.5 })).toBe(0.5)
  })

  test('behavior: required is a list of names, even of members that are not described', () => {
    expect(sample({ type: 'object', required: [7, null, 'a', 'constructor'] })).toEqual({
      a: 'probe',
      constructor: 'probe',
    })
    expect(sample({ type: 'object', required: 'a' })).toEqual({})
    expect(sample({ type: 'object' })).toEqual({})
  })

  test('behavior: a sample has at most 8 KiB', () => {
    const text = (length: number) => sampleInput({ default: 'x'.repeat(length - 2) })
    expect(text(8_192)).toHaveLength(8_192)
    expect(text(8_193)).toBe('{}')
  })

  test('behavior: an unknown schema yields an empty object, and so does one with a huge default', () => {
    expect(sampleInput(undefined)).toBe('{}')
    expect(sampleInput({ type: 'object', default: 'x'.repeat(100_000) })).toBe('{}')
  })

  test('behavior: any JSON as schema yields bounded JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (schema) => {
        const text = sampleInput(schema)
        JSON.parse(text)
        expect(text.length).toBeLessThanOrEqual(8 * 1024)
      }),
    )
  })

  test('behavior: a repeated required name is visited once', () => {
    const required = Array(40).fill('a')
    const nested = (depth: number): object =>
      depth === 0 ? { type: 'string' } : { type: 'object', required, properties: { a: nested(depth - 1) } }
    const { schema, looks } = counted(nested(6))
    expect(sample(schema)).toEqual({ a: { a: { a: { a: { a: { a: 'probe' } } } } } })
    expect(looks()).toBe(7)
  })

  test('behavior: a sample has one budget of nodes and of depth, and beyond either it is {}', () => {
    const names = Array.from({ length: 10 }, (_, index) => `${index}`)
    const wide = (depth: number): object =>
      depth === 0
        ? { type: 'null' }
        : {
            type: 'object',
            required: names,
            properties: Object.fromEntries(names.map((name) => [name, wide(depth - 1)])),
          }
    const { schema, looks } = counted(wide(3))
    expect(sample(schema)).toEqual({})
    expect(looks()).toBeLessThanOrEqual(256)
    const deep = (depth: number): object => (depth === 0 ? {} : { minItems: 1, type: 'array', items: deep(depth - 1) })
    expect(sample({ ...deep(8) })).toEqual([[[[[[[['probe']]]]]]]])
    expect(sample({ ...deep(9) })).toEqual({})
    const member = (depth: number): object =>
      depth === 0 ? { type: 'null' } : { type: 'object', required: ['a'], properties: { a: member(depth - 1) } }
    expect(JSON.stringify(sample({ ...member(8) }))).toBe(`${'{"a":'.repeat(8)}null${'}'.repeat(8)}`)
    expect(sample({ ...member(9) })).toEqual({})
  })

  test('behavior: visits a bounded number of nodes and returns JSON, whatever a keyword holds', () => {
    const keyword = fc.constantFrom('type', 'properties', 'required', 'items', 'minItems', 'minLength', 'format', 'a')
    const { schema: anySchema } = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('object', 'array', 'string', 'constructor', '__proto__', 1, null, ['a', 'a', 'b']),
        fc.constant({ toString: 1, valueOf: 1 }),
        tie('schema'),
      ),
      schema: fc.dictionary(keyword, tie('value')),
    }))
    fc.assert(
      fc.property(anySchema, (given) => {
        const { schema, looks } = counted(given as object)
        JSON.parse(sampleInput(schema))
        expect(looks()).toBeLessThanOrEqual(256)
      }),
    )
  })
})

/** A schema that counts how often its nodes are sampled, and stops a walk that goes on too long. */
function counted(root: object) {
  let looks = 0
  const watch = (node: object): Record<string, unknown> =>
    new Proxy(node as Record<string, unknown>, {
      get: (target, key) => {
        if (key === 'const' && ++looks > 10_000) throw new Error('the walk goes on and on')
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'object' && value !== null && !Array.isArray(value) ? watch(value) : value
      },
      getOwnPropertyDescriptor: Reflect.getOwnPropertyDescriptor,
    })
  return { schema: watch(root), looks: () => looks }
}
