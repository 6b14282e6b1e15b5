import { describe, expect, test } from 'vitest'
import { isOutage, isStatementTimeout } from './outage.ts'

const coded = (code: string) => Object.assign(new Error('no'), { code })

describe('isOutage', () => {
  test.each([
    ...['08006', '28000', '28P01', '3D000', '53300', '53100', '57P01', '57P03', '57014', '25006', '25P03'],
    ...['ECONNREFUSED', 'ECONNRESET'],
  ])('default: %s means that the store is unavailable', (code) => expect(isOutage(coded(code))).toBe(true))

  test.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Command timed out',
    'Reached the max retries per request limit (which is 1).',
    "READONLY You can't write against a read only replica.",
    "ERR Error running script (call to f_1): @user_script:7: @user_script: 7: -READONLY You can't write against a read only replica.",
    "OOM command not allowed when used memory > 'maxmemory'. script: 1, on @user_script:12.",
    'NOAUTH Authentication required.',
    'WRONGPASS invalid username-password pair or user is disabled.',
    'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
  ])('default: “%s” means so, too', (message) => expect(isOutage(new Error(message))).toBe(true))

  test('behavior: a missing Unix socket is an outage, another missing file is not', () => {
    const missing = (syscall: string) => Object.assign(coded('ENOENT'), { syscall })
    expect(isOutage(missing('connect'))).toBe(true)
    expect(isOutage(missing('open'))).toBe(false)
    expect(isOutage(coded('ENOENT'))).toBe(false)
  })

  test('behavior: the cause of an error counts', () => {
    expect(isOutage(new Error('no settlement', { cause: coded('57P01') }))).toBe(true)
    expect(isOutage(new AggregateError([coded('ECONNREFUSED')]))).toBe(true)
  })

  test.each([coded('23505'), coded('42601'), new TypeError('x is undefined'), 'text', undefined])(
    'behavior: %s is our own fault, not an outage',
    (error) => expect(isOutage(error)).toBe(false),
  )
})

test('isStatementTimeout: only of a statement that took too long for a Postgres that answers', () => {
  expect([coded('57014'), coded('55P03'), new Error('no', { cause: coded('57014') })].every(isStatementTimeout)).toBe(
    true,
  )
  expect([coded('57P01'), coded('ECONNREFUSED'), 'text', undefined].some(isStatementTimeout)).toBe(false)
})
