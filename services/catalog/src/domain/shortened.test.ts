import { expect, test } from 'vitest'
import { shortened } from './shortened.ts'

test('500 characters stay, and a longer text keeps its first 499 with an ellipsis', () => {
  const whole = 'a'.repeat(500)
  expect([shortened(''), shortened(whole)]).toEqual(['', whole])
  expect(shortened(`${whole}b`)).toBe(`${'a'.repeat(499)}…`)
})

test('a character of two code units counts as one, and is never cut in half', () => {
  const whole = '😀'.repeat(500)
  expect(shortened(whole)).toBe(whole)
  expect(shortened(`${whole}b`)).toBe(`${'😀'.repeat(499)}…`)
})
