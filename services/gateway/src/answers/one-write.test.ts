import { expect, test } from 'vitest'
import { inOneWrite } from './one-write.ts'

test.each([
  ['nothing', ''],
  ['ASCII', '{"ok":true}'],
  ['other scripts', '{"name":"Grüße, 東京 🚀"}'],
  ['a byte-order mark', '\u{feff}{"ok":true}'],
])('default: %s becomes text of the same bytes, even as a part of a larger buffer', (_, text) => {
  const whole = Buffer.from(`before${text}after`)
  const part = whole.subarray(6, whole.byteLength - 5)
  expect(inOneWrite(part)).toBe(text)
  expect(Buffer.from(inOneWrite(part) as string).equals(part)).toBe(true)
})

test('behavior: bytes that are not UTF-8 stay as they are', () => {
  const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47)
  expect(inOneWrite(bytes)).toBe(bytes)
})

test('behavior: a long body stays as it is', () => {
  const bytes = Buffer.alloc(16 * 1024 + 1, 'a')
  expect(inOneWrite(bytes)).toBe(bytes)
})
