import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contains, isObject, own, readJson, readJsonBytes, sameJson } from './json.ts'

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

  test('behavior: the same key in two objects is not a duplicate', () => {
    expect(readJson('[{"a":{"a":1}},{"a":2}]').ok).toBe(true)
  })

  test('behavior: a value that looks like a key is not a key', () => {
    expect(readJson('{"a":"a","b":["a","a","__proto__"]}').ok).toBe(true)
  })

  test.each([
    ['as deep as it may be', deep(48)],
    ['the largest integer that a double holds apart', '[9007199254740991,-9007199254740991]'],
    ['words', '{"a":true,"b":false,"c":null}'],
    ['brackets within texts', '{"a":"{","b":"[","c":"}]","d":{"a":","}}'],
    ['escaped quotes', '{"a\\"b":1,"a":2,"b\\\\":3,"c":4}'],
    ['a text alone', '"a"'],
  ])('default: reads JSON: %s', (_, text) => {
    expect(readJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
  })

  test('error: names the key at fault', () => {
    expect(readJson('{"a":{"b":1,"\\u0062":2}}')).toEqual({ ok: false, reason: 'duplicate_key', key: 'b' })
  })

  test('error: bytes that are not UTF-8 are refused, not replaced', () => {
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
    ['9007199254740992', 'number_out_of_range'],
    ['[-9007199254740992]', 'number_out_of_range'],
    ['{"a\\"b":1,"a\\"b":2}', 'duplicate_key'],
    ['{"a":[{}],"a":2}', 'duplicate_key'],
    ['{"":1,"":2}', 'duplicate_key'],
    [deep(49), 'too_deep'],
    ['\ufeff{}', 'byte_order_mark'],
    ['', 'not_json'],
    ['{', 'not_json'],
    ['{"a":NaN}', 'not_json'],
  ])('error: %s is refused as %s', (text, reason) => {
    expect(readJson(text)).toMatchObject({ ok: false, reason })
  })

  test('behavior: a large integer passes where no money depends on it', () => {
    expect(readJson('9007199254740993', 'finite').ok).toBe(true)
    expect(readJson('1e999', 'finite').ok).toBe(false)
  })

  test('behavior: never throws, however deep or long the text', () => {
    fc.assert(fc.property(fc.string(), (text) => void readJson(text)))
    expect(readJson(deep(100_000)).ok).toBe(false)
    expect(readJson(`"${'\\"'.repeat(200_000)}"`).ok).toBe(true)
  })
})

describe('contains', () => {
  test.each<[unknown, unknown, boolean]>([
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, true],
    [{}, { a: 1 }, true],
    [{ a: undefined }, {}, true],
    [7, 7, true],
    [{ a: 1 }, {}, false],
    [{ a: undefined }, { a: 1 }, false],
    [{ a: { b: 1 } }, { a: { c: 1 } }, false],
    [{ a: [1] }, { a: [1, 2] }, false],
    [{ a: {} }, { a: 7 }, false],
    [{ a: {} }, { a: [] }, false],
    [{}, null, false],
    [7, {}, false],
    [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
    [{ constructor: {} }, {}, false],
  ])('default: %j within %j: %j', (expected, actual, isIn) => {
    expect(contains(expected, actual)).toBe(isIn)
  })
})

test('isObject: true for objects alone', () => {
  expect([{}, { a: 1 }].map(isObject)).toEqual([true, true])
  expect([[], null, undefined, 'text', 7, () => 1].some(isObject)).toBe(false)
})

test('own: returns an object’s own member, never one of its prototype', () => {
  expect(own({ a: 1, constructor: 2 }, 'a')).toBe(1)
  expect(own({ a: 1, constructor: 2 }, 'constructor')).toBe(2)
  expect(own({}, 'constructor')).toBeUndefined()
})

describe('sameJson', () => {
  test('default: ignores the order of keys', () => {
    expect(sameJson({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 })).toBe(true)
  })

  test('behavior: a member that is undefined counts as absent', () => {
    expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true)
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
    [[], { length: 0 }],
    [[], ''],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
    [[[1]], [[2]]],
    ['1', 1],
    [{ a: null }, {}],
    [{}, { constructor: {} }],
    [null, {}],
  ])('behavior: %j is not %j', (left, right) => {
    expect(sameJson(left, right)).toBe(false)
    expect(sameJson(right, left)).toBe(false)
  })
})
