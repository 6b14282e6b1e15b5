import { expect, test } from 'vitest'
import { retiredWords } from './words.ts'

test('a retired word is named once with the word to write, whole words only, in any case', () => {
  expect(retiredWords('services/shop/src/a.ts', 'const kit = kit // a Kit, a testkit, kitchen')).toEqual([
    'services/shop/src/a.ts says “kit”: the field says “context” (docs/glossary.md)',
  ])
  expect(retiredWords('docs/page.md', 'It sends signs of life.')).toHaveLength(1)
  expect(retiredWords('libs/a/package.json', '{"description": "A kit."}')).toHaveLength(1)
})

test('a document of the past may name it, and other kinds of files are not read', () => {
  for (const path of ['docs/adr/0001-x.md', 'CHANGELOG.md', 'libs/a/src/b.generated.ts', 'package-lock.json']) {
    expect(retiredWords(path, 'the kit of a stranger')).toEqual([])
  }
})
