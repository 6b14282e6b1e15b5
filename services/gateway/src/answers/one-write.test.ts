import { expect, test } from 'vitest'
import { inOneWrite } from './one-write.ts'

test.each([
  ['nothing', ''],
  ['ASCII', '{"ok":true}'],
  ['other scripts', '{"name":"Grüße, 東京 🚀"}'],
  ['a byte-order mark', '\u{feff}{"ok":true}'],
])('default: %s goes out as text of the same bytes, also as a part of a larger buffer', (_, text) => {
  const whole = Buffer.from(`before${text}after`)
  const part = whole.subarray(6, whole.byteLength - 5)
  expect(inOneWrite(part)).toBe(text)
  expect(Buffer.from(inOneWrite(part) as string).equals(part)).toBe(true)
})

test('behavior: bytes that are no UTF-8 stay as they are', () => {
  const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47)
  expect(inOneWrite(bytes)).toBe(bytes)
})

test('behavior: a long body stays as it is', () => {
  const bytes = Buffer.alloc(16 * 1024 + 1, 'a')
  expect(inOneWrite(bytes)).toBe(bytes)
})
