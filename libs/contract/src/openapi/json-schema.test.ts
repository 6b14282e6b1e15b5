import { expect, test } from 'vitest'
import { z } from 'zod'
import { Components } from './components.ts'
import { portablePattern, writeSchema } from './json-schema.ts'

test('default: digits are ASCII digits for every reader', () => {
  expect(portablePattern('^\\d{1,4}$')).toBe('^[0-9]{1,4}$')
})

test.each(['^\\P{C}*$', '(?<=a)b', '(?<year>a)', '(?>a)', 'a++', '\\Aa'])(
  'error: the pattern %s is not portable',
  (pattern) => {
    expect(() => portablePattern(pattern)).toThrow(pattern)
    expect(() => writeSchema(z.object({ a: z.string().meta({ pattern }) }), 'input')).toThrow(pattern)
  },
)

test('behavior: an answer may gain members in a later release, a request may not', () => {
  const schema = z.strictObject({ a: z.string() })
  expect(writeSchema(schema, 'output').schema).not.toHaveProperty('additionalProperties')
  expect(writeSchema(schema, 'input').schema).toHaveProperty('additionalProperties', false)
})

test('behavior: a record over a fixed choice of keys is an object with these members', () => {
  const { schema } = writeSchema(z.record(z.enum(['a', 'b']), z.boolean()), 'output')
  expect(schema).toEqual({
    type: 'object',
    properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
    required: ['a', 'b'],
  })
})

test('error: two different schemas have the same name', () => {
  const components = new Components()
  components.keep('A', { type: 'string', minLength: 1 })
  expect(components.keep('A', { minLength: 1, type: 'string' })).toEqual({ $ref: '#/components/schemas/A' })
  expect(() => components.keep('A', { type: 'number' })).toThrow('named A')
})
