import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Aliases } from './aliases.ts'
import { documentWords } from './document-words.ts'
import { TextReader } from './text-reader.ts'
import { Vocabulary } from './vocabulary.ts'

const aliases = new Aliases([
  ['btc', 'bitcoin'],
  ['t2a', 'text to audio'],
])
const part = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('btc', 'Bitcoin', 'text', 'to', 'audio', 'getQuote', 'iPhone15', 'ABCDef') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('c', 'C', '++', '#', '+', '-', ' ', '\n', '.', 'on-chain', 'a-b-c-d', 's-0012345'),
  },
  { weight: 1, arbitrary: fc.constantFrom('über', 'ﬁ', '天気', 'x'.repeat(201)) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 4 }) },
)
const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))

test('reads the words of a text, whichever of them are already known', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (texts) => {
      const vocabulary = new Vocabulary(aliases)
      const reader = new TextReader(vocabulary, aliases)
      for (const one of [...texts, ...texts]) {
        const ids = [-1]
        reader.read(one, ids, (word) => vocabulary.learn(word))
        expect(ids.slice(1).map((id) => vocabulary.textOf(id))).toEqual(documentWords(one, aliases))
      }
    }),
    { numRuns: 1_000 },
  )
})
