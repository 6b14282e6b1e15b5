import { expect, test } from 'vitest'
import { ownWords, strayOption } from './form.ts'
import { FORMS } from './forms.ts'

/** A command line of a form: its own words in the place of those in capitals. */
const lineOf = (words: string) =>
  words
    .replaceAll(/[[\]]| …/g, '')
    .split(' ')
    .map((word) => (word === word.toUpperCase() ? 'x' : word))

test.each(FORMS.map(({ words }) => [words]))('“%s” is taken by its own form alone', (words) => {
  const [first] = FORMS.filter((form) => ownWords(form, lineOf(words)))
  expect(first?.words).toBe(words)
})

test('the file of a certificate is not taken for a network', () => {
  const first = FORMS.find((form) => ownWords(form, ['certificate', 'check', 'a.json', 'digest']))
  expect(first?.words).toBe('certificate check FILE [DIGEST]')
})

test.each(['checked', 'note', 'reason', 'limit', 'look', 'restored-to', 'call'])(
  '--%s is taken by some form',
  (name) => {
    expect(FORMS.some((form) => strayOption(form, { [name]: 'x' }, FORMS) === undefined)).toBe(true)
  },
)
