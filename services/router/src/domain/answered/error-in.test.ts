import { expect, test } from 'vitest'
import { errorIn } from './error-in.ts'

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
