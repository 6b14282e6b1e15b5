import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CONFUSABLES_UNICODE_VERSION } from './confusables.generated.ts'
import { lookAlikeKey, skeletonOf } from './index.ts'

describe('skeletonOf', () => {
  test.each([
    ['Cyrillic', 'раураl', 'paypal'],
    ['Greek capitals', 'ΑΒΕ', 'ABE'],
    ['mathematical letters', '𝐩𝐚𝐲', 'pay'],
    ['two letters drawn as one', 'rnodern', 'modern'],
    ['an invisible character', 'pay\u200dpal', 'paypal'],
  ])('default: %s', (_, one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other))
  })

  test('default: the table covers its whole Unicode version', () => {
    expect(CONFUSABLES_UNICODE_VERSION).toBe('18.0.0')
    expect(skeletonOf('"%0')).toBe("''°/\u2080O")
    expect(skeletonOf('\u{32a8f}')).toBe('\u{2edb5}')
  })
})

describe('lookAlikeKey', () => {
  test.each([
    ['case', 'ACME Weather', 'acme weather'],
    ['capital I for l', 'PayPaI', 'PayPal'],
    ['small i for l', 'Paypai', 'Paypal'],
    ['one for l, zero for o', 'G00g1e', 'Google'],
    ['m in either case', 'MARKET', 'rnarket'],
    ['accents', 'Àcmé Wéather', 'Acme Weather'],
    ['spaces and punctuation', ' Acme  Weather, Inc.', 'Acme-Weather Inc'],
    ['full width', 'Ａｃｍｅ', 'Acme'],
    ['another script', 'Асmе Wеаthеr', 'Acme Weather'],
    ['a stroke', 'Øpen', 'Open'],
  ])('default: %s makes no other name', (_, one, other) => {
    expect(lookAlikeKey(one)).toBe(lookAlikeKey(other))
  })

  test.each([
    ['Acme Weather', 'Acme Whether'],
    ['Acme 2', 'Acme 3'],
    ['Wien', 'Bern'],
    ['天気', '電気'],
  ])('default: %s and %s are different names', (one, other) => {
    expect(lookAlikeKey(one)).not.toBe(lookAlikeKey(other))
  })

  test('behavior: a name of letters has a key, and one of punctuation has none', () => {
    expect(lookAlikeKey('a')).toBe('a')
    expect(lookAlikeKey('– ! –')).toBe('')
  })

  test('behavior: neither case nor an extra space makes another name of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcimlIMLO01wWzZ -рΑе') }), (name) => {
        expect(lookAlikeKey(`${name.toUpperCase()} `)).toBe(lookAlikeKey(name.toUpperCase()))
        expect(lookAlikeKey(lookAlikeKey(name))).toBe(lookAlikeKey(name))
      }),
    )
  })
})
