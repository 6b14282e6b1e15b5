import type { SiweExpectation, SiweReason } from './check.ts'
import { SIWE_MAX_LENGTH } from './message.ts'

const PROBLEMS: { readonly [Reason in SiweReason]: (expect: SiweExpectation) => string } = {
  too_long: () => `it is longer than ${SIWE_MAX_LENGTH} characters`,
  malformed: () => 'it is no message of EIP-4361',
  scheme_mismatch: ({ uri }) => `its scheme has to be that of ${uri}, or absent`,
  domain_mismatch: ({ domain }) => `its domain has to be ${domain}`,
  uri_mismatch: ({ uri }) => `its URI has to be ${uri}`,
  statement_mismatch: ({ statement }) => `its statement has to be “${statement}”`,
  nonce_mismatch: () => 'its nonce is not the one that was given',
  chain_not_allowed: ({ chainIds }) => `its Chain ID has to be ${chainIds.join(' or ')}`,
  issued_in_the_future: () => 'its Issued At is in the future: a clock is wrong',
  issued_too_long_ago: () => 'its Issued At is more than ten minutes ago: ask for a new nonce',
  expired: () => 'its Expiration Time is over: ask for a new nonce',
  not_yet_valid: () => 'its Not Before is in the future',
  bad_signature: () => 'the wallet that it names did not sign this very text',
}

/**
 * Why a message does not sign its sender in, for the program that made it: the reason and the fix.
 * @returns a clause, such as `domain_mismatch: its domain has to be callboard.example`
 */
export const siweProblem = (reason: SiweReason, expect: SiweExpectation): string =>
  `${reason}: ${PROBLEMS[reason](expect)}`
