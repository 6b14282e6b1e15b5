import { reservedSlugs, Slug } from '@callboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasSlug, slugCandidates, slugOf } from './slug.ts'

const firstOf = (name: string, count = 1) => slugCandidates(name).take(count).toArray()

describe('slugOf', () => {
  test.each([
    ['Alpha Quotes', 'alpha-quotes'],
    ['  Ünïcode — Čaj & Co. ', 'unicode-caj-co'],
    ['v2.0', 'v2-0'],
    ['Tokyo 天気', 'tokyo-tianqi'],
    ['Tokyo 気象', 'tokyo-qixiang'],
    ['Погода', 'pogoda'],
    ['طقس', 'tqs'],
    ['날씨', 'nalssi'],
    ['100%', '100'],
    ['ﬁn', 'fin'],
    ['a'.repeat(65), 'a'.repeat(64)],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
    [`${'a'.repeat(62)} b`, `${'a'.repeat(62)}-b`],
  ])('default: turns “%s” into its slug', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  test('behavior: signs alone have no slug', () => {
    expect([slugOf('---'), hasSlug('———')]).toEqual([undefined, false])
    expect(firstOf('———')).toEqual([])
  })
})

describe('hasSlug', () => {
  test.each(['a', '7', '①', '天', '😀', '𐍯'])('default: %s has a slug', (name) => {
    expect(hasSlug(name)).toBe(true)
    expect(firstOf(name)).toHaveLength(1)
  })

  test.each(['', ' ', '---', '★', '$$$'])('behavior: “%s” has no slug', (name) => {
    expect(hasSlug(name)).toBe(false)
    expect(firstOf(name)).toEqual([])
  })
})

describe('slugCandidates', () => {
  test.each([
    ['Alpha Quotes', ['alpha-quotes', 'alpha-quotes-cdmfmi', 'alpha-quotes-k5e79r']],
    ['ALPHA quotes', ['alpha-quotes', 'alpha-quotes-cdmfmi', 'alpha-quotes-k5e79r']],
    ['ﬁn', ['fin', 'fin-3sikry']],
    ['𐍯', ['listing-b0qrkv', 'listing-ptrq7p']],
    [`${'a'.repeat(56)} bbb`, [`${'a'.repeat(56)}-bbb`, `${'a'.repeat(56)}-l60u5d`]],
  ])('default: the slugs of “%s” never change', (name, slugs) => {
    expect(firstOf(name, slugs.length)).toEqual(slugs)
  })

  test('default: the name’s own slug comes first, then always the same short ids', () => {
    const slugs = firstOf('Alpha Quotes', 4)
    expect(slugs[0]).toBe('alpha-quotes')
    expect(new Set(slugs).size).toBe(4)
    expect(firstOf('Alpha Quotes', 4)).toEqual(slugs)
  })

  test('behavior: two names with the same spelling have different ids', () => {
    expect(firstOf('天気', 2)[1]).not.toBe(firstOf('天器', 2)[1])
  })

  test.each([...reservedSlugs()])('behavior: no name becomes %s, which a route uses', (word) => {
    for (const name of [word, word.toUpperCase(), ` ${word}!`, word.replaceAll('-', ' ')]) {
      for (const slug of firstOf(name, 5)) expect(reservedSlugs().has(slug), name).toBe(false)
    }
  })

  test('behavior: a name with a letter of any script has slugs that the contract accepts', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 120, unit: 'binary' }), (name) =>
        hasSlug(name)
          ? firstOf(name, 3).every((slug) => Slug.safeParse(slug).success) && firstOf(name, 3).length === 3
          : !/\p{L}/u.test(name),
      ),
    )
  })
})
