import { expect, test } from 'vitest'
import { retiredWords } from './words.ts'

test('a retired word is reported once with its replacement, as a whole word, in any case', () => {
  expect(retiredWords('services/shop/src/a.ts', 'const kit = kit // a Kit, a testkit, kitchen')).toEqual([
    'services/shop/src/a.ts says “kit”: the field says “context” (docs/glossary.md)',
  ])
  expect(retiredWords('docs/page.md', 'It sends signs of life.')).toHaveLength(1)
  expect(retiredWords('libs/a/package.json', '{"description": "A kit."}')).toHaveLength(1)
})

test('historical documents may use retired words, and other file types are not read', () => {
  for (const path of ['docs/adr/0001-x.md', 'CHANGELOG.md', 'libs/a/src/b.generated.ts', 'package-lock.json']) {
    expect(retiredWords(path, 'the kit of a stranger')).toEqual([])
  }
})
