import { expect, test } from 'vitest'
import { Aliases, NO_ALIASES } from './aliases.ts'
import { documentWords } from './document-words.ts'

const aliases = new Aliases([
  ['btc', 'Bitcoin'],
  ['ocr', 'image-to-text', 'scan'],
  ['', '!?'],
])
const labelsIn = (text: string) => documentWords(text, aliases).filter((word) => word.startsWith('\u0001'))

test('all ways to say one thing share a label, and different things have different labels', () => {
  expect(labelsIn('BTC')).toEqual(labelsIn('the bitcoin price'))
  expect(labelsIn('ocr')).toEqual(labelsIn('Image to text!'))
  expect(labelsIn('btc')).not.toEqual(labelsIn('ocr'))
  expect(labelsIn('image of a text')).toEqual([])
})

test('the positions of an alias in the list of words are returned', () => {
  expect(aliases.in(['best', 'image', 'to', 'text', 'btc'])).toMatchObject([
    { from: 1, to: 4 },
    { from: 4, to: 5 },
  ])
  expect(NO_ALIASES.in(['btc'])).toEqual([])
})
