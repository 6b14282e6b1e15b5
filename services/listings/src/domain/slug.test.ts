import { Slug } from '@callboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { slugOf } from './slug.ts'

describe('slugOf', () => {
  test.each([
    ['Alpha Quotes', 'alpha-quotes'],
    ['  Ünïcode — Čaj & Co. ', 'unicode-caj-co'],
    ['v2.0', 'v2-0'],
    ['日本語 API', 'api'],
  ])('default: %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  test('behavior: a name without letters a-z and digits has none', () => {
    expect(slugOf('日本語')).toBeUndefined()
    expect(slugOf('---')).toBeUndefined()
  })

  test('behavior: any other name has one that the contract takes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), (name) => {
        const slug = slugOf(name)
        return slug === undefined || Slug.safeParse(slug).success
      }),
    )
  })
})
