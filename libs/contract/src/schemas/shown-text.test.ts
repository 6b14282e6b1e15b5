import { expect, test } from 'vitest'
import { ClaimedLabel } from './agent.ts'
import { claimedName, shownText } from './shown-text.ts'

test('default: text is trimmed before its length is counted', () => {
  expect(shownText('line', 4).min(1).parse('  four\n')).toBe('four')
  expect(shownText('line', 4).min(1).safeParse('   ').success).toBe(false)
})

test('error: text that cannot be shown is refused with the reason', () => {
  const read = shownText('line', 80).safeParse('evil\u202etxt')
  expect(read.error?.issues).toMatchObject([{ message: 'holds U+202E, which turns the direction of the text' }])
  expect(shownText('paragraphs', 80).safeParse('one\ntwo').success).toBe(true)
})

test('error: of a text that is too long nothing but its length is looked at, as anyone may send any body', () => {
  // Normalizing these marks would take minutes.
  const marks = `a${'\u0300\u0316'.repeat(600_000)}`
  const words = 'help '.repeat(500_000)
  for (const schema of [shownText('line', 80), shownText('paragraphs', 2_000), claimedName(80), ClaimedLabel]) {
    for (const text of [marks, words]) expect(schema.safeParse(text).error?.issues).toHaveLength(1)
  }
  expect(claimedName(80).min(3).safeParse('x'.repeat(81)).error?.issues).toMatchObject([
    { code: 'too_big', maximum: 80 },
  ])
})
