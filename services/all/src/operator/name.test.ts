import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { operatorName } from './name.ts'

test('the name of the command line comes first, then OPERATOR_NAME, the variables of a login, and the process’s user', () => {
  const login = { USER: 'ada', LOGNAME: 'lovelace' }
  expect(operatorName({ ...login, OPERATOR_NAME: 'desk' }, 'eve', '')).toBe('eve')
  expect(operatorName({ ...login, OPERATOR_NAME: 'desk' }, undefined, '')).toBe('desk')
  expect(operatorName(login, undefined, '')).toBe('ada')
  expect(operatorName({ LOGNAME: 'lovelace' }, undefined, '')).toBe('lovelace')
  expect(operatorName({}, undefined, '')).toBe(userInfo().username)
})

test('a name that cannot be recorded is left out', () => {
  expect(operatorName({ OPERATOR_NAME: 'two\nlines' }, undefined, '')).toBe('unnamed')
})
