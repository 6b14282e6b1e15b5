import { expect, test } from 'vitest'
import { failureText, isProgram } from './command-line.ts'

test('the error that ended a program is printed as its message', () => {
  expect(failureText(new Error('DATABASE_URL is required.'))).toBe('DATABASE_URL is required.')
})

test('an error without a message is printed whole: no program ends without a word', () => {
  const tried = [new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED 127.0.0.1:5432')]
  const printed = failureText(new AggregateError(tried))
  for (const { message } of tried) expect(printed).toContain(message)
  expect(failureText('gone')).toContain('gone')
})

test('what caused the error is printed below it, once', () => {
  const cause = new Error('column "a" contains null values', { cause: new AggregateError([new Error('refused')]) })
  expect(failureText(new Error('Migration of schema oauth failed at 0007', { cause }))).toBe(
    'Migration of schema oauth failed at 0007\n  because: column "a" contains null values\n  because: refused',
  )
  const quoted = new Error('The folder cannot be written: no space left', { cause: new Error('no space left') })
  expect(failureText(quoted)).toBe('The folder cannot be written: no space left')
})

test('a module is the program where node was started with it, and not where it was imported', () => {
  const own = import.meta
  expect(isProgram(own, ['node', own.filename])).toBe(true)
  expect(isProgram(own, ['node', own.filename.replace('.test', '')])).toBe(false)
  expect([['node'], ['node', '/nowhere/at/all']].map((argv) => isProgram(own, argv))).toEqual([false, false])
})
