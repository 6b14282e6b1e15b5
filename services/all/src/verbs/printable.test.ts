import { describe, expect, test } from 'vitest'
import { printable, printableJson, quoted } from './printable.ts'

/** C1’s “begin a command”, a change of direction, a tag letter, a line separator, the end of a command. */
const UNSHOWN = '\u009b31m \u202eetsap\u202c \u{e0061} \u2028 \u0007'

describe('printable', () => {
  test('default: one line, with blanks in a row as one', () => expect(printable(' a\n\t b ')).toBe('a b'))

  test('behavior: what a terminal acts on or hides is named, by all of its units', () => {
    expect(printable(UNSHOWN)).toBe('\\u009b31m \\u202eetsap\\u202c \\udb40\\udc61 \\u0007')
  })
})

test('quoted: every line is marked', () => expect(quoted('a\nb\r\nc')).toEqual(['| a', '| b', '| c']))

describe('printableJson', () => {
  test('default: as JSON.stringify writes it', () => {
    const value = { name: 'Žižek ⚡', list: [1, null] }
    expect(printableJson(value)).toBe(JSON.stringify(value))
    expect(printableJson(value, 2)).toBe(JSON.stringify(value, null, 2))
  })

  test('behavior: nothing in it is what a terminal acts on or hides, and it is the same value', () => {
    const value = { name: UNSHOWN, [UNSHOWN]: ['\n'] }
    for (const indent of [undefined, 2]) {
      const text = printableJson(value, indent)
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u)
      expect(JSON.parse(text)).toEqual(value)
    }
  })
})
