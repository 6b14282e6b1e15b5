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

test('JSON holds what a terminal acts on only as escapes, and every text as it was', () => {
  const out = vi.spyOn(console, 'log').mockImplementation(() => {})
  const err = vi.spyOn(console, 'error').mockImplementation(() => {})
  printer(true).result({ title: ATTACK }, [])
  printer(true).progress('seen', { title: ATTACK }, undefined)
  for (const [text] of [...out.mock.calls, ...err.mock.calls]) {
    expect(text).toMatch(/^[\x20-\x7e]*$/)
    expect(JSON.parse(String(text))).toMatchObject({ title: ATTACK })
  }
  printer(true).result({ title: 'Gezeiten für Ålesund 🌊' }, [])
  expect(out.mock.lastCall).toEqual(['{"title":"Gezeiten für Ålesund 🌊"}'])
  vi.restoreAllMocks()
})

test('a seller’s reason is shown as one line', () => {
  expect(refusedFor('no\nSettled by 0xabc')).toBe('noSettled by 0xabc')
})
