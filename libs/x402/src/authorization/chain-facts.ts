import type { Hex } from '@callboard/values'
import { type Reason, reasonIn } from '../messages/reasons.ts'
import type { ExactTransfer } from './check-authorization.ts'
import { isErc6492 } from './erc6492.ts'
import type { Recovered } from './signature.ts'

/** The facts about a transfer from one round trip to the chain. Read them in one batch: each can change between two. */
export interface ChainFacts {
  /** Code at the payer's address; "0x" when there is none. An EIP-7702 account has code. */
  readonly payerCode: Hex
  /** Result of the payer's `isValidSignature`; undefined when it was not asked. */
  readonly erc1271Valid?: boolean | undefined
  readonly assetDeployed: boolean
  /** `authorizationState(from, nonce)`; undefined when the token has no such function. */
  readonly authorizationUsed: boolean | undefined
  /** `balanceOf(from)` in base units; undefined when it could not be read. */
  readonly balance: bigint | undefined
  /** The token's own values, if they were asked after a failed simulation. */
  readonly tokenName?: string | undefined
  readonly tokenVersion?: string | undefined
  /** Whether the transfer itself succeeded as an `eth_call`; undefined when it was not tried. */
  readonly simulated?: boolean | undefined
}

export type ChainVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: Reason }

/**
 * Judges by the chain's facts whether the token would accept the transfer. The token decides by code, and so do we: a
 * payer without code is judged by ECDSA alone, a payer with any code by EIP-1271 alone, even when the ECDSA signature
 * matches.
 * @source Circle FiatToken SignatureChecker; order of @x402/evm 2.27
 */
export function judgeChainFacts(transfer: ExactTransfer, recovered: Recovered, facts: ChainFacts): ChainVerdict {
  const reason = signatureFaultOnChain(transfer, recovered, facts) ?? tokenFault(transfer, facts)
  return reason ? { ok: false, reason: reasonIn(transfer.x402Version, reason) } : { ok: true }
}

/** Whether the ECDSA signature is the payer's own. It decides alone only while the payer has no code. */
export const signedByPayer = (transfer: ExactTransfer, recovered: Recovered): boolean =>
  recovered.ok && recovered.address === transfer.authorization.from

function signatureFaultOnChain(transfer: ExactTransfer, recovered: Recovered, facts: ChainFacts): Reason | undefined {
  if (facts.payerCode === '0x') {
    if (isErc6492(transfer.signature)) return 'eip6492_factory_not_allowed'
    return signedByPayer(transfer, recovered) ? undefined : 'invalid_exact_evm_signature'
  }
  return facts.erc1271Valid === true ? undefined : 'invalid_exact_evm_signature'
}

function tokenFault({ amount, domain }: ExactTransfer, facts: ChainFacts): Reason | undefined {
  if (!facts.assetDeployed) return 'asset_not_deployed_contract'
  if (facts.authorizationUsed === undefined) return 'invalid_exact_evm_eip3009_not_supported'
  if (facts.authorizationUsed) return 'invalid_exact_evm_nonce_already_used'
  if (facts.tokenName !== undefined && facts.tokenName !== domain.name) return 'invalid_exact_evm_token_name_mismatch'
  if (facts.tokenVersion !== undefined && facts.tokenVersion !== domain.version) {
    return 'invalid_exact_evm_token_version_mismatch'
  }
  if (facts.balance !== undefined && facts.balance < BigInt(amount)) return 'invalid_exact_evm_insufficient_balance'
  const unknown = facts.balance === undefined && facts.simulated === undefined
  return facts.simulated === false || unknown ? 'invalid_exact_evm_transaction_simulation_failed' : undefined
}
