import { expect, test, vi } from 'vitest'
import { printer } from './print.ts'
import { refusedFor } from './sentences.ts'

const ATTACK = 'Tides\u001b[2K\u001b]52;c;cm0=\u0007\r\u009b31m\u202e'

test('nothing that a terminal acts on is printed, and one text stays one line', () => {
  const out = vi.spyOn(console, 'log').mockImplementation(() => {})
  const err = vi.spyOn(console, 'error').mockImplementation(() => {})
  printer(false).result({}, [`  ${ATTACK}\nfake line`, 'wallet  0xabc'])
  printer(false).progress('seen', {}, `It says:\n${ATTACK}`)
  expect(out.mock.calls).toEqual([['  Tides[2K]52;c;cm0=31mfake line\nwallet  0xabc']])
  expect(err.mock.calls).toEqual([['It says:\nTides[2K]52;c;cm0=31m']])
  vi.restoreAllMocks()
})

test('a seller’s reason is shown as one line', () => {
  expect(refusedFor('no\nSettled by 0xabc')).toBe('noSettled by 0xabc')
})
