import { expect, test } from 'vitest'
import { isStopWord } from './stop-words.ts'

test('a stop word only says how something is asked, in several languages and in folded form', () => {
  for (const word of ['how', 'the', 'wie', 'fur', 'como', 'ou', 'uber']) expect(isStopWord(word)).toBe(true)
  for (const word of ['weather', 'api', 'price', '']) expect(isStopWord(word)).toBe(false)
})
