/**
 * The reasons of `@x402/evm` 2.27 for an `exact` payment by EIP-3009: Callboard's answers to version 2 requests.
 * @source @x402/evm 2.27, exact facilitator; x402 v2 specification, error codes
 */
export const EXACT_EVM_REASONS = [
  'invalid_exact_evm_scheme',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_network_mismatch',
  'eip6492_factory_not_allowed',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_failed_to_parse_signature',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'asset_not_deployed_contract',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_nonce_already_used',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
  'invalid_exact_evm_insufficient_balance',
  'invalid_exact_evm_transaction_simulation_failed',
  'invalid_exact_evm_transaction_failed',
  'invalid_exact_evm_transfer_event_mismatch',
  'smart_wallet_deployment_failed',
  'settlement_pending',
  'unsupported_payload_type',
  'extension_echo_mismatch',
] as const

/** Reasons of the specification's own list, which apply to any scheme and both versions. */
export const SPECIFICATION_REASONS = [
  'insufficient_funds',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_network',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_scheme',
  'unsupported_scheme',
  'invalid_x402_version',
  'invalid_transaction_state',
  'unexpected_verify_error',
  'unexpected_settle_error',
] as const

/** Reasons that only version 1 SDKs know. */
export const V1_ONLY_REASONS = [
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_undeployed_smart_wallet',
  'payment_expired',
  'invalid_payment',
  'duplicate_settlement',
] as const

export type ExactEvmReason = (typeof EXACT_EVM_REASONS)[number]
export type SpecificationReason = (typeof SPECIFICATION_REASONS)[number]
export type V1OnlyReason = (typeof V1_ONLY_REASONS)[number]

/** A reason Callboard gives. Text from other facilitators is passed through unchanged. */
export type Reason = ExactEvmReason | SpecificationReason | V1OnlyReason

/** Version 1 SDKs' names for the same reasons. A reason that is absent here has the same name in both versions. */
const V1_WORDS: Readonly<Partial<Record<Reason, Reason>>> = {
  invalid_exact_evm_scheme: 'unsupported_scheme',
  invalid_exact_evm_network_mismatch: 'invalid_network',
  invalid_exact_evm_signature: 'invalid_exact_evm_payload_signature',
  invalid_exact_evm_failed_to_parse_signature: 'invalid_exact_evm_payload_signature',
  invalid_exact_evm_recipient_mismatch: 'invalid_exact_evm_payload_recipient_mismatch',
  invalid_exact_evm_payload_authorization_value_mismatch: 'invalid_exact_evm_payload_authorization_value',
  invalid_exact_evm_insufficient_balance: 'insufficient_funds',
  eip6492_factory_not_allowed: 'invalid_exact_evm_payload_undeployed_smart_wallet',
  invalid_exact_evm_missing_eip712_domain: 'invalid_payment_requirements',
  invalid_exact_evm_transaction_failed: 'invalid_transaction_state',
  invalid_exact_evm_transfer_event_mismatch: 'invalid_transaction_state',
  unsupported_payload_type: 'invalid_payload',
}

/** A reason under its name in the version of the request. */
export const reasonIn = (x402Version: 1 | 2, reason: Reason): Reason =>
  x402Version === 1 ? (V1_WORDS[reason] ?? reason) : reason

const GIVEN: ReadonlySet<string> = new Set([...EXACT_EVM_REASONS, ...SPECIFICATION_REASONS, ...V1_ONLY_REASONS])

export const isReason = (text: string): text is Reason => GIVEN.has(text)
