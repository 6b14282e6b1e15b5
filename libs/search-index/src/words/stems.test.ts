import { expect, test } from 'vitest'
import { isStemmed, stemOf } from './stems.ts'

test.each([
  ['translate', 'translates', 'translated', 'translator', 'translators', 'translation', 'translating'],
  ['scrape', 'scraper', 'scraping', 'scraped'],
  ['price', 'prices', 'pricing'],
  ['verify', 'verifies', 'verifier', 'verification'],
  ['map', 'maps', 'mapping', 'mapped'],
  ['city', 'cities'],
  ['organize', 'organise', 'organization', 'organisation'],
  ['run', 'running', 'runs'],
])('%s has the same stem as %s and others', (...words) => {
  expect(new Set(words.map(stemOf)).size).toBe(1)
})

test.each(['gas', 'bus', 'glass', 'is', 'btc', 'x402', '東京', 'c++', 'status'])('%s is its own stem', (word) => {
  expect(stemOf(word)).toBe(word)
})

test('only words of plain letters are stemmed', () => {
  expect(['maps', 'abc'].every(isStemmed)).toBe(true)
  expect(['ab', 'a1b2', 'größe', ''].some(isStemmed)).toBe(false)
})
