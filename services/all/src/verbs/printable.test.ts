import { describe, expect, test } from 'vitest'
import { printable, printableJson, quoted } from './printable.ts'

/** C1’s “begin a command”, a change of direction, a tag letter, a line separator, the end of a command. */
const UNSHOWN = '\u009b31m \u202eetsap\u202c \u{e0061} \u2028 \u0007'

describe('printable', () => {
  test('default: a single line, with runs of whitespace as one space', () => expect(printable(' a\n\t b ')).toBe('a b'))

  test('behavior: characters that a terminal acts on or hides are escaped, by all of their code units', () => {
    expect(printable(UNSHOWN)).toBe('\\u009b31m \\u202eetsap\\u202c \\udb40\\udc61 \\u0007')
  })
})

test('quoted: every line is marked', () => expect(quoted('a\nb\r\nc')).toEqual(['| a', '| b', '| c']))

describe('printableJson', () => {
  test('default: equals the output of JSON.stringify', () => {
    const value = { name: 'Žižek ⚡', list: [1, null] }
    expect(printableJson(value)).toBe(JSON.stringify(value))
    expect(printableJson(value, 2)).toBe(JSON.stringify(value, null, 2))
  })

  test('behavior: the output has no character that a terminal acts on or hides, and parses to the same value', () => {
    const value = { name: UNSHOWN, [UNSHOWN]: ['\n'] }
    for (const indent of [undefined, 2]) {
      const text = printableJson(value, indent)
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u)
      expect(JSON.parse(text)).toEqual(value)
    }
  })
})
