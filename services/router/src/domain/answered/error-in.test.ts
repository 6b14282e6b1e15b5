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

test.each([
  ['of_upstream', { code: 502, message: 'The model is down.' }],
  ['of_upstream', { code: 429 }],
  ['of_upstream', { type: 'overloaded_error' }],
  ['of_upstream', { type: 'error', code: 'server_error' }],
  ['of_upstream', { status: 500 }],
  ['of_request', { code: 400, message: 'The prompt is too long.' }],
  ['of_request', { code: 'invalid_prompt' }],
  ['of_request', { type: 'invalid_request_error', code: null }],
  ['of_request', { code: 499 }],
  ['of_request', { message: 'It did not work.' }],
  ['of_request', 'It did not work.'],
  ['of_request', undefined],
] as const)('failureOf: %s for %j', (failure, error) => expect(failureOf(error)).toBe(failure))
