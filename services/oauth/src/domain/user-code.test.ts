import { expect, test } from 'vitest'
import { hashUserCode, newUserCode, readUserCode, shownUserCode } from './user-code.ts'

test('a new code is eight letters of the alphabet, shown in two groups, and that form is read back', () => {
  for (let n = 0; n < 200; n += 1) {
    const code = newUserCode()
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
    expect(readUserCode(shownUserCode(code))).toBe(code)
  }
})

test.each([
  ['wdjb-mjht', 'WDJBMJHT'],
  [' WDJB MJHT ', 'WDJBMJHT'],
  ['WDJBMJHT', 'WDJBMJHT'],
  ['WDJB-MJH', undefined],
  ['WDJB-MJHTT', undefined],
  ['AEIO-UAEI', undefined],
  ['WDJB-MJHA', undefined],
  ['ADJB-MJHT', undefined],
  ['', undefined],
])('%j is read as %s', (typed, code) => {
  expect(readUserCode(typed)).toBe(code)
})

test('the stored form of a code is always the same, differs for another code, and does not contain the code', async () => {
  const [code, other] = ['WDJBMJHT', 'WDJBMJHV']
  const hash = await hashUserCode(code)
  expect(hash).toMatch(/^[\w-]{43}$/)
  expect(hash).not.toContain(code)
  expect(await hashUserCode(code)).toBe(hash)
  expect(await hashUserCode(other)).not.toBe(hash)
})

test('a code stored by an earlier release is found: scrypt with N 2,048, r 8, p 1 and 32 bytes', async () => {
  expect(await hashUserCode('WDJBMJHT')).toBe('KEyTBLlVQXj-xToJjvk9pvM4LKpPlogDfh9Xfl_3IHo')
})
