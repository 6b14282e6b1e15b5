import { describe, expect, test } from 'vitest'
import { lookAlikeKey, shownPartOf, shownTextFault, streamSafe } from './index.ts'

describe('a line', () => {
  test.each([
    ['a name', 'Weather for agents'],
    ['accents, composed or not', 'Ame\u0301lie Žižek'],
    ['two marks on one letter', 'Việt Nam, tha\u0302\u0301t'],
    ['scripts written from the right', 'مزود الطقس'],
    ['a joiner that Persian spelling needs', 'می\u200cخواهم'],
    ['a joiner that Devanagari spelling needs', 'क्\u200dष'],
    [
      'emoji: a selector, a skin tone, a family, a key, a flag',
      '⚡\ufe0f 👍🏽 👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 🇦🇹',
    ],
    ['a joiner behind a skin tone', '👍🏽\u200d💻'],
    ['four marks on one letter, and four on the next', `q${'\u0323'.repeat(4)}q${'\u0323'.repeat(4)}`],
    ['four marks behind a selector, which is none', `1\ufe0f${'\u0323'.repeat(4)}`],
    ['symbols and digits', '€ 0.01 → 100 % ★'],
    ['nothing at all', ''],
  ])('default: %s is shown', (_, text) => {
    expect(shownTextFault(text, 'line')).toBeUndefined()
  })

  test.each([
    ['override', 'a\u202eb', 'holds U+202E, which turns the direction of the text'],
    ['embedding', 'a\u202ab', 'holds U+202A, which turns the direction of the text'],
    ['isolate', 'a\u2066b', 'holds U+2066, which turns the direction of the text'],
    ['direction mark', 'a\u200eb', 'holds U+200E, which turns the direction of the text'],
    ['Arabic letter mark', 'a\u061cb', 'holds U+061C, which turns the direction of the text'],
    ['escape', 'a\u001bb', 'holds U+001B, which is a control character'],
    ['line break', 'a\nb', 'holds U+000A, which is a control character'],
    ['line separator', 'a\u2028b', 'holds U+2028, which is a control character'],
    ['zero-width space', 'a\u200bb', 'holds U+200B, which is invisible'],
    ['word joiner', 'a\u2060b', 'holds U+2060, which is invisible'],
    ['byte-order mark', '\ufeffa', 'holds U+FEFF, which is invisible'],
    ['soft hyphen', 'a\u00adb', 'holds U+00AD, which is invisible'],
    ['Hangul filler', 'a\u3164', 'holds U+3164, which is invisible'],
    ['blank Braille pattern', '\u2800', 'holds U+2800, which is invisible'],
    ['letter in tags', 'a\u{e0061}', 'holds U+E0061, which is invisible'],
    ['joiner between Latin letters', 'pay\u200dpal', 'holds U+200D, which is invisible'],
    ['joiner before a picture alone', 'a\u200d💻', 'holds U+200D, which is invisible'],
    ['joiner behind a picture alone', '👩\u200da', 'holds U+200D, which is invisible'],
    ['joiner at the end', '👩\u200d', 'holds U+200D, which is invisible'],
    ['zero-width space between pictures', '👩\u200b💻', 'holds U+200B, which is invisible'],
    ['non-joiner between pictures', '👩\u200c💻', 'holds U+200C, which is invisible'],
    ['joiner before a Persian letter alone', 'a\u200cخ', 'holds U+200C, which is invisible'],
    ['joiner behind a Persian letter alone', 'ی\u200ca', 'holds U+200C, which is invisible'],
    ['selector at the beginning', '\ufe0fa', 'holds U+FE0F, which is invisible'],
    ['selector after a letter', 'a\ufe0f', 'holds U+FE0F, which is invisible'],
    ['private use', 'a\ue000', 'holds U+E000, which has no agreed meaning'],
    ['unassigned', 'a\u0378', 'holds U+0378, which is not assigned'],
    ['noncharacter', 'a\uffff', 'holds U+FFFF, which is not assigned'],
    ['half of a pair', 'a\ud800', 'holds half of a surrogate pair'],
    ['fifth mark on one letter', `q${'\u0323'.repeat(5)}`, 'holds U+0323, which is a mark that overprints other text'],
    ['pile of marks', `a${'\u0323'.repeat(6)}`, 'holds U+0323, which is a mark that overprints other text'],
    ['mark over what stands before', '\u0301a', 'holds U+0301, which is a mark that overprints other text'],
    ['stroke through a letter', 'a\u0336', 'holds U+0336, which is a mark that overprints other text'],
    ['spaces alone', ' \u3000 ', 'shows nothing'],
  ])('error: %s', (_, text, fault) => {
    expect(shownTextFault(text, 'line')).toBe(fault)
  })
})

describe('paragraphs', () => {
  test('default: can have tabs and line breaks', () => {
    expect(shownTextFault('One.\r\n\n\tTwo.', 'paragraphs')).toBeUndefined()
  })

  test.each(['\u0000', '\u0085', '\u2029', '\u202e', '\u2069'])('error: cannot have %j', (character) => {
    expect(shownTextFault(`One.${character}Two.`, 'paragraphs')).toMatch(/^holds U\+/)
  })
})

describe('shownPartOf', () => {
  test('default: drops the faulty characters and keeps the rest', () => {
    expect(shownPartOf('a\u202eb\u0000c 👩\u200d💻\nd', 'line')).toBe('abc 👩\u200d💻d')
    expect(shownPartOf('a\ud800b\nc', 'paragraphs')).toBe('a\ufffdb\nc')
    expect(shownTextFault(shownPartOf('\u0301\u200b\u2066x', 'line'), 'line')).toBeUndefined()
  })
})

describe('streamSafe', () => {
  test('leaves every text of a language as it is, and of marks in a row the first thirty', () => {
    for (const text of ['', 'Žižek', 'e\u0301', 'ก็', 'הַשָּׁ֫לוֹם', '👩\u200d💻']) expect(streamSafe(text)).toBe(text)
    expect(streamSafe(`a${'\u0300'.repeat(31)}b${'\u0316'.repeat(30)}`)).toBe(
      `a${'\u0300'.repeat(30)}b${'\u0316'.repeat(30)}`,
    )
  })

  test.each([
    ['next to each other', '\u0300\u0316'.repeat(600_000)],
    ['with something invisible between them', `${'\u0300\u0316'.repeat(15)}\u200b`.repeat(8_000)],
  ])('keeps a text that is nothing but marks %s from taking minutes', (_how, marks) => {
    expect(shownTextFault(`a${marks}`, 'line')).toMatch(/overprints other text|is invisible/)
    expect(shownPartOf(`a${marks}`, 'line').length).toBeLessThan(200_000)
    expect(lookAlikeKey(`a${marks}`)).toBe('a')
  })
})
