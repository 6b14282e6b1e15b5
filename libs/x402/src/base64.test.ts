import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBase64, fromBase64Url, fromUtf8, toBase64, toUtf8 } from './base64.ts'

const textOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('latin1')

describe('base64', () => {
  test.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foobar', 'Zm9vYmFy'],
    ['\xfb\xff', '+/8='],
  ])('default: %j is %s (RFC 4648, 10)', (text, encoded) => {
    expect(toBase64(Buffer.from(text, 'latin1'))).toBe(encoded)
    expect(textOf(fromBase64(encoded))).toBe(text)
  })

  test('behavior: bytes of any length survive, even beyond one chunk', () => {
    for (const length of [8_191, 8_192, 8_193, 20_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => at % 251)
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
      expect(fromBase64(toBase64(bytes))).toEqual(bytes)
    }
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void expect(fromBase64(toBase64(bytes))).toEqual(bytes)))
  })

  test('behavior: padding is optional', () => {
    expect([textOf(fromBase64('Zg')), textOf(fromBase64('Zm8'))]).toEqual(['f', 'fo'])
  })

  test.each(['Z', 'Zm9vY', 'Zg===', 'Z=g=', '===', 'Zm9v\n', ' Zm9v', 'Zm 9v', '-_8=', 'Zg==Zg=='])(
    'error: %j is not base64',
    (text) => {
      expect(fromBase64(text)).toBeUndefined()
    },
  )
})

describe('base64url', () => {
  test.each([
    ['', ''],
    ['Zg', 'f'],
    ['Zm9vYmFy', 'foobar'],
    ['-_8', '\xfb\xff'],
    ['--__', '\xfb\xef\xff'],
  ])('default: decodes %j', (encoded, text) => {
    expect(textOf(fromBase64Url(encoded))).toBe(text)
  })

  test.each(['Zg==', '+/8', '-_8=', 'Z', ' Zg', 'Zg\n'])('error: %j is not base64url without padding', (text) => {
    expect(fromBase64Url(text)).toBeUndefined()
  })
})

describe('UTF-8', () => {
  test('behavior: any well-formed text survives, including a byte-order mark', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fromUtf8(toUtf8(text)) === text))
    expect(fromUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa')
  })

  test.each([[[0xff]], [[0xc3]], [[0xc0, 0xaf]], [[0xed, 0xa0, 0x80]]])('error: %j is not UTF-8', (bytes) => {
    expect(fromUtf8(Uint8Array.from(bytes))).toBeUndefined()
  })
})
