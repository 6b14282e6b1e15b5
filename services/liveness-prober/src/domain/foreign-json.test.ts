import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanObject, cleanText, plainText } from './foreign-json.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 40 })

describe('cleanText', () => {
  test('default: returns a text as it is, with its paragraphs', () => {
    expect(cleanText('One.\n\nTwo: Žižek 👩\u200d💻', 80)).toBe('One.\n\nTwo: Žižek 👩\u200d💻')
  })

  test('behavior: removes characters that hide or reorder text', () => {
    expect(cleanText('a\u0000b\u202ec\u2028d', 80)).toBe('abcd')
  })

  test('behavior: cuts a text to a length, without half a character', () => {
    expect(cleanText('abcd', 4)).toBe('abcd')
    expect(cleanText('abcde', 4)).toBe('abcd')
    expect(cleanText('abc\u{1f600}', 4)).toBe('abc\ufffd')
  })

  test('behavior: a million marks in a row, which would take minutes to put in order, are cut first', () => {
    expect(cleanText(`a${'\u0300\u0316'.repeat(500_000)}`, 500)).toMatch(/^à\p{M}{1,8}$/u)
  })

  test('behavior: returns no more than the limit, whatever the characters are composed of', () => {
    expect(cleanText('\u0958'.repeat(4), 4)).toBe('\u0915\u093c'.repeat(2))
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, max) => {
        const shown = cleanText(text, max)
        expect(shown.length).toBeLessThanOrEqual(max)
        expect(shown.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('plainText', () => {
  test.each([
    ['  One\r\n two\tthree  ', 'One two three'],
    ['<b>bold</b>', 'b bold /b'],
    ['a\u202eb\u200bc', 'a b c'],
    ['a\u00a0 \u0000 b', 'a b'],
    ['\ud800', '\ufffd'],
  ])('%j becomes %j', (value, text) => {
    expect(plainText(value, 80)).toBe(text)
  })

  test.each([[undefined], [null], [7], [['text']], [{}], [''], [' \n\u202e '], ['<>']])(
    '%j yields no text',
    (value) => {
      expect(plainText(value, 80)).toBeUndefined()
    },
  )

  test('behavior: cuts a text to a length after the removals', () => {
    expect(plainText('   abcd', 4)).toBe('abcd')
    expect(plainText('abcde', 4)).toBe('abcd')
    expect(plainText('abc\u{1f600}', 4)).toBe('abc\ufffd')
    expect(plainText('abc', 0)).toBeUndefined()
  })
})

describe('cleanObject', () => {
  test('default: returns an object as it is, up to a length of its JSON', () => {
    const value = { a: 'é' }
    expect(cleanObject(value, 9)).toBe(value)
    expect(cleanObject(value, 8)).toBeUndefined()
    expect(cleanObject(undefined, 8)).toBeUndefined()
  })

  test.each([
    ['NUL in a value', { a: 'b\u0000' }],
    ['NUL in a name', { 'a\u0000': 1 }],
    ['the first half of a pair', { a: ['\ud83d'] }],
    ['the second half of a pair', { a: { b: '\udc00' } }],
    ['the last half of a pair', { a: '\udfff' }],
  ])('behavior: %s cannot be stored', (_what, value) => {
    expect(cleanObject(value, 80)).toBeUndefined()
  })

  test('behavior: other escapes and whole pairs can be stored', () => {
    const value = { a: '\u0001 \n "\\', b: '\u{1f600}', c: '\ud7ff\ue000' }
    expect(cleanObject(value, 80)).toBe(value)
  })
})
