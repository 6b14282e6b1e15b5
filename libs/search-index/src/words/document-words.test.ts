import { describe, expect, test } from 'vitest'
import { NO_ALIASES } from './aliases.ts'
import { documentWords } from './document-words.ts'

describe('documentWords', () => {
  test.each([
    ['on-chain data', ['on', 'chain', 'data', 'onchain']],
    ['GPT-4o and ERC-8004', ['gpt', '4o', 'and', 'erc', '8004', 'gpt4o', 'erc8004']],
    ['text-to-image', ['text', 'to', 'image', 'texttoimage']],
    ['a-b-c-d of a path', ['a', 'b', 'c', 'd', 'of', 'a', 'path']],
    ['number-0012345', ['number', '0012345']],
    ['this - that', ['this', 'that']],
    ['getSpotPrice', ['getspotprice', 'get', 'spot', 'price']],
    ['parseHTTPBody of an iPhone', ['parsehttpbody', 'of', 'an', 'iphone', 'parse', 'http', 'body', 'phone']],
    ['our APIs', ['our', 'apis']],
    ['0xAb8483F64d9C6d1EcF9b849Ae677dD3315835cb2', ['0xab8483f64d9c6d1ecf9b849ae677dd3315835cb2']],
    ['Übersetzung für Müller', ['ubersetzung', 'fur', 'muller', 'uebersetzung', 'fuer', 'mueller']],
    ['u\u0308ber', ['uber', 'ueber']],
    ['naïve', ['naive']],
  ])('%j: returns its own words, then other ways to write them', (text, expected) => {
    expect(documentWords(text, NO_ALIASES)).toEqual(expected)
  })
})
