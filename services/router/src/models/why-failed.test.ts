import { expect, test } from 'vitest'
import { NoKeyError } from './upstream-keys.ts'
import { whyFailed } from './why-failed.ts'

const coded = (code: string, message: string, error = new Error(message)) => Object.assign(error, { code })
const refused = coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9')

test.each<[string, unknown, string]>([
  ['a connection that is refused', refused, 'connect ECONNREFUSED 127.0.0.1:9'],
  ['one that each address refuses', coded('ECONNREFUSED', '', new AggregateError([refused, refused])), refused.message],
  [
    'a provider that is silent',
    coded('UND_ERR_BODY_TIMEOUT', 'Body Timeout Error'),
    'UND_ERR_BODY_TIMEOUT: Body Timeout Error',
  ],
  [
    'a certificate',
    coded('ERR_TLS_CERT_ALTNAME_INVALID', 'no such host'),
    'ERR_TLS_CERT_ALTNAME_INVALID: no such host',
  ],
  ['a key that is not there', new NoKeyError('the environment has no KEY'), 'the environment has no KEY'],
  ['a time that is over', new DOMException('timed out', 'TimeoutError'), 'timed out'],
])('%s is reported in one line', (_what, error, reason) => {
  expect(whyFailed(error)).toEqual({ reason })
})

test.each<[string, unknown]>([
  ['an error without a code', new Error('broken')],
  ['a type that is wrong', coded('ERR_INVALID_ARG_TYPE', 'wrong', new TypeError('wrong'))],
  ['a request that undici does not take', coded('UND_ERR_INVALID_ARG', 'wrong')],
  ['what is no error', 'broken'],
])('%s is reported as the whole error', (_what, error) => {
  expect(whyFailed(error)).toEqual({ err: error })
})
