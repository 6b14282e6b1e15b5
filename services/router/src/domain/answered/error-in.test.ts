import { expect, test } from 'vitest'
import { errorIn, failureOf } from './error-in.ts'

const error = { message: 'The model is down.' }

test.each([
  [{ error }, error],
  [{ choices: [{ error }] }, error],
  [{ choices: [{ error }, { error: {} }] }, error],
  [{ choices: [{ error }, { message: {} }] }, undefined],
  [{ choices: [{ error: null }], error: null }, undefined],
  [{ choices: [] }, undefined],
  [{}, undefined],
])('errorIn: the error of %j', (answer, expected) => expect(errorIn(answer)).toEqual(expected))

const KINDS = [
  'server_error',
  'api_error',
  'overloaded_error',
  'timeout_error',
  'rate_limit_exceeded',
  'rate_limit_error',
]
const ACCOUNTS = ['authentication_error', 'permission_error', 'billing_error', 'insufficient_quota']

test.each([...KINDS, ...ACCOUNTS, 401, 402, 403, 408, 429, 500])('failureOf: %j is the upstream’s own', (said) => {
  for (const member of ['type', 'code', 'status']) expect(failureOf({ [member]: said })).toBe('of_upstream')
})

test.each([
  { code: 400, message: 'The prompt is too long.' },
  { code: 404, status: 422 },
  { code: 'invalid_prompt' },
  { type: 'invalid_request_error', code: null },
  { type: '', code: '500' },
  { code: 499 },
  { message: 'It did not work.' },
  'server_error',
  undefined,
])('failureOf: %j is that of the request', (error) => expect(failureOf(error)).toBe('of_request'))
