import { expect, test } from 'vitest'
import { shownText } from './shown-text.ts'

test('default: text is trimmed before its length is counted', () => {
  expect(shownText('line').min(1).max(4).parse('  four\n')).toBe('four')
  expect(shownText('line').min(1).safeParse('   ').success).toBe(false)
})

test('error: text that cannot be shown is refused with the reason', () => {
  const read = shownText('line').max(80).safeParse('evil\u202etxt')
  expect(read.error?.issues).toMatchObject([{ message: 'holds U+202E, which turns the direction of the text' }])
  expect(shownText('paragraphs').safeParse('one\ntwo').success).toBe(true)
})
