import { describe, expect, test } from 'vitest'
import { EXACT_EVM_REASONS, isReason, reasonIn, SPECIFICATION_REASONS, V1_ONLY_REASONS } from './reasons.ts'

const GIVEN = [...EXACT_EVM_REASONS, ...SPECIFICATION_REASONS, ...V1_ONLY_REASONS]

test('default: each reason is in one list only', () => {
  expect(new Set(GIVEN).size).toBe(GIVEN.length)
})

describe('reasonIn', () => {
  // Version 1 SDKs compare with each of these reasons.
  test.each([
    ['invalid_exact_evm_scheme', 'unsupported_scheme'],
    ['invalid_exact_evm_network_mismatch', 'invalid_network'],
    ['invalid_exact_evm_signature', 'invalid_exact_evm_payload_signature'],
    ['invalid_exact_evm_failed_to_parse_signature', 'invalid_exact_evm_payload_signature'],
    ['invalid_exact_evm_recipient_mismatch', 'invalid_exact_evm_payload_recipient_mismatch'],
    ['invalid_exact_evm_payload_authorization_value_mismatch', 'invalid_exact_evm_payload_authorization_value'],
    ['invalid_exact_evm_insufficient_balance', 'insufficient_funds'],
    ['eip6492_factory_not_allowed', 'invalid_exact_evm_payload_undeployed_smart_wallet'],
    ['invalid_exact_evm_missing_eip712_domain', 'invalid_payment_requirements'],
    ['invalid_exact_evm_transaction_failed', 'invalid_transaction_state'],
    ['invalid_exact_evm_transfer_event_mismatch', 'invalid_transaction_state'],
    ['unsupported_payload_type', 'invalid_payload'],
    ['invalid_exact_evm_nonce_already_used', 'invalid_exact_evm_nonce_already_used'],
    ['settlement_pending', 'settlement_pending'],
  ] as const)('default: %s is %s in version 1', (reason, v1) => {
    expect(reasonIn(1, reason)).toBe(v1)
  })

  test('behavior: version 2 reasons are never translated, and a translation is stable', () => {
    for (const reason of GIVEN) {
      expect(reasonIn(2, reason)).toBe(reason)
      expect(reasonIn(1, reasonIn(1, reason))).toBe(reasonIn(1, reason))
    }
  })
})

describe('isReason', () => {
  // Stored settlement reasons are read back through this: a missing one would turn into another.
  test.each([
    ...['asset_not_deployed_contract', 'eip6492_factory_not_allowed', 'extension_echo_mismatch', 'settlement_pending'],
    ...['invalid_exact_evm_eip3009_not_supported', 'invalid_exact_evm_failed_to_parse_signature'],
    ...['invalid_exact_evm_insufficient_balance', 'invalid_exact_evm_missing_eip712_domain'],
    ...['invalid_exact_evm_network_mismatch', 'invalid_exact_evm_nonce_already_used'],
    ...['invalid_exact_evm_payload_authorization_valid_after', 'invalid_exact_evm_payload_authorization_valid_before'],
    ...['invalid_exact_evm_payload_authorization_value_mismatch', 'invalid_exact_evm_recipient_mismatch'],
    ...['invalid_exact_evm_scheme', 'invalid_exact_evm_signature', 'invalid_exact_evm_token_name_mismatch'],
    ...['invalid_exact_evm_token_version_mismatch', 'invalid_exact_evm_transaction_failed'],
    ...['invalid_exact_evm_transaction_simulation_failed', 'invalid_exact_evm_transfer_event_mismatch'],
    ...['smart_wallet_deployment_failed', 'unsupported_payload_type'],
    ...['insufficient_funds', 'invalid_exact_evm_payload_recipient_mismatch', 'invalid_exact_evm_payload_signature'],
    ...['invalid_network', 'invalid_payload', 'invalid_payment_requirements', 'invalid_scheme', 'unsupported_scheme'],
    ...['invalid_transaction_state', 'invalid_x402_version', 'unexpected_settle_error', 'unexpected_verify_error'],
    ...['duplicate_settlement', 'invalid_exact_evm_payload_authorization_value', 'invalid_payment', 'payment_expired'],
    'invalid_exact_evm_payload_undeployed_smart_wallet',
  ])('default: %s is a reason', (word) => {
    expect(isReason(word)).toBe(true)
  })

  test.each(['', 'permit2_deadline_expired', 'INVALID_PAYLOAD', 'invalid_payload ', 'constructor'])(
    "error: '%s' is not one of Callboard’s reasons",
    (word) => {
      expect(isReason(word)).toBe(false)
    },
  )
})
