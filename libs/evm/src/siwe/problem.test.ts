import { expect, test } from 'vitest'
import { siweProblem } from './problem.ts'

const EXPECTED = {
  domain: '127.0.0.1:8402',
  uri: 'http://127.0.0.1:8402',
  statement: 'Sign in.',
  chainIds: [8453, 31_337],
}

test.each([
  ['domain_mismatch', 'domain_mismatch: its domain has to be 127.0.0.1:8402'],
  ['uri_mismatch', 'uri_mismatch: its URI has to be http://127.0.0.1:8402'],
  ['scheme_mismatch', 'scheme_mismatch: its scheme has to be that of http://127.0.0.1:8402, or absent'],
  ['statement_mismatch', 'statement_mismatch: its statement has to be “Sign in.”'],
  ['chain_not_allowed', 'chain_not_allowed: its Chain ID has to be 8453 or 31337'],
  ['nonce_mismatch', 'nonce_mismatch: its nonce is not the one that was given'],
  ['too_long', 'too_long: it is longer than 2048 characters'],
  ['malformed', 'malformed: it is no message of EIP-4361'],
  ['issued_in_the_future', 'issued_in_the_future: its Issued At is in the future: a clock is wrong'],
  ['issued_too_long_ago', 'issued_too_long_ago: its Issued At is more than ten minutes ago: ask for a new nonce'],
  ['expired', 'expired: its Expiration Time is over: ask for a new nonce'],
  ['not_yet_valid', 'not_yet_valid: its Not Before is in the future'],
  ['bad_signature', 'bad_signature: the wallet that it names did not sign this very text'],
] as const)('default: %s says what is required instead', (reason, sentence) => {
  expect(siweProblem(reason, EXPECTED)).toBe(sentence)
})
