import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJson, readJsonBytes, sameJson } from './json.ts'

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('readJson', () => {
  test('default: reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), fc.constantFrom(undefined, 1, '\t'), (text, space) => {
        const spaced = JSON.stringify(JSON.parse(text), null, space)
        fc.pre(!spaced.includes('"__proto__"'))
        expect(readJson(spaced, 'finite')).toEqual({ ok: true, value: JSON.parse(spaced) })
      }),
    )
  })

  test('behavior: the same key in two objects is no repetition', () => {
    expect(readJson('[{"a":{"a":1}},{"a":2}]').ok).toBe(true)
  })

  test('behavior: a value that looks like a key is no key', () => {
    expect(readJson('{"a":"a","b":["a","a","__proto__"]}').ok).toBe(true)
  })

  test('error: names the key at fault', () => {
    expect(readJson('{"a":{"b":1,"\\u0062":2}}')).toEqual({ ok: false, reason: 'duplicate_key', key: 'b' })
  })

  test('error: bytes that are no UTF-8 are not replaced', () => {
    expect(readJsonBytes(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ ok: false, reason: 'not_utf8' })
    expect(readJsonBytes(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toEqual({ ok: false, reason: 'byte_order_mark' })
    expect(readJsonBytes(Uint8Array.of(0x7b, 0x7d))).toEqual({ ok: true, value: {} })
  })

  test.each([
    ['{"a":1,"a":2}', 'duplicate_key'],
    ['{"a":1,"b":{},"a":2}', 'duplicate_key'],
    ['{"a":1,"\\u0061":2}', 'duplicate_key'],
    ['[{"x":[1,{"a":1,"a":1}]}]', 'duplicate_key'],
    ['{"__proto__":{"isAdmin":true}}', 'forbidden_key'],
    ['{"a":{"\\u005f_proto__":1}}', 'forbidden_key'],
    ['{"a":1e999}', 'number_out_of_range'],
    ['{"a":-1e999}', 'number_out_of_range'],
    ['{"a":9007199254740993}', 'number_out_of_range'],
    [deep(49), 'too_deep'],
    ['\ufeff{}', 'byte_order_mark'],
    ['', 'not_json'],
    ['{', 'not_json'],
    ['{"a":NaN}', 'not_json'],
  ])('error: %s is refused as %s', (text, reason) => {
    expect(readJson(text)).toMatchObject({ ok: false, reason })
  })

  test('behavior: a big integer passes where no money depends on it', () => {
    expect(readJson('9007199254740993', 'finite').ok).toBe(true)
    expect(readJson('1e999', 'finite').ok).toBe(false)
  })

  test('behavior: no text makes it throw, however deep or long', () => {
    fc.assert(fc.property(fc.string(), (text) => void readJson(text)))
    expect(readJson(deep(100_000)).ok).toBe(false)
    expect(readJson(`"${'\\"'.repeat(200_000)}"`).ok).toBe(true)
  })
})

describe('sameJson', () => {
  test('default: the order of keys does not count', () => {
    expect(sameJson({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 })).toBe(true)
  })

  test('behavior: a value equals its copy', () => {
    fc.assert(fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => sameJson(value, structuredClone(value))))
  })

  test.each([
    [{ a: 1 }, { a: '1' }],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [{ a: null }, {}],
    [{}, { constructor: {} }],
    [null, {}],
  ])('behavior: %j is not %j', (left, right) => {
    expect(sameJson(left, right)).toBe(false)
    expect(sameJson(right, left)).toBe(false)
  })
})
