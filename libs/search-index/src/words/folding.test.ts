import { expect, test } from 'vitest'
import { folded } from './folding.ts'

test.each([
  ['API', 'api'],
  ['Café Ångström', 'cafe angstrom'],
  ['Straße Œuvre Łódź', 'strasse oeuvre lodz'],
  ['ﬁlter ＡＢ① ㍿', 'filter ab1 株式会社'],
  ['Ελλάδα ΛΌΓΟΣ', 'ελλαδα λογοσ'],
  ['ガ', 'ガ'],
  ['हिन्दी', 'हिन्दी'],
])('%j is compared as %j', (text, expected) => {
  expect(folded(text)).toBe(expected)
})

test('folding a folded text again changes nothing', () => {
  for (const text of ['İstanbul', 'ÀÉÎ', 'ﬃ', 'ｶﾞ']) expect(folded(folded(text))).toBe(folded(text))
})
