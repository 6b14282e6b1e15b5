import { describe, expect, test } from 'vitest'
import { given, listOf, objectIn, objectOf, textOf } from './json.ts'

const NO_OBJECTS = [undefined, null, 'text', 7, true, ['a']]

describe('objectOf', () => {
  test('default: the object itself', () => {
    const value = { a: 1 }
    expect(objectOf(value)).toBe(value)
  })

  test.each(NO_OBJECTS)('behavior: %j becomes an empty object', (value) => {
    expect(objectOf(value)).toStrictEqual({})
  })
})

test('listOf: the objects of a list, and none for anything else', () => {
  expect(listOf([{ a: 1 }, null, 'text', [{ b: 2 }], {}])).toEqual([{ a: 1 }, {}])
  expect([undefined, null, 'text', { 0: {}, length: 1 }].map(listOf)).toEqual([[], [], [], []])
})

test('textOf: the text, and an empty string for anything else', () => {
  expect(['text', '', 7, null, ['text']].map(textOf)).toEqual(['text', '', '', '', ''])
})

describe('objectIn', () => {
  test('default: the object that a JSON text holds', () => expect(objectIn(' {"a":[1]} ')).toEqual({ a: [1] }))

  test.each(['', '{', '[{}]', 'null', '7', '"{}"'])('behavior: %j holds none', (text) => {
    expect(objectIn(text)).toBeUndefined()
  })
})

test('given: null and a missing member both count as absent, and an empty value is given', () => {
  expect(given({ a: null, b: undefined, c: 0, d: '', e: false, f: [] })).toStrictEqual({ c: 0, d: '', e: false, f: [] })
})
