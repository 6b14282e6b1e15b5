import { expect, test } from 'vitest'
import { isStopWord } from './stop-words.ts'

test('says how something is asked, in several languages and as words are folded', () => {
  for (const word of ['how', 'the', 'wie', 'fur', 'como', 'ou', 'uber']) expect(isStopWord(word)).toBe(true)
  for (const word of ['weather', 'api', 'price', '']) expect(isStopWord(word)).toBe(false)
})
