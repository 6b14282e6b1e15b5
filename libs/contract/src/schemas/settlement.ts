import { BaseUnitsText, BuilderCodes, Hash32 } from '@callboard/x402'
import { z } from 'zod'
import { Address, Network, Timestamp } from './words.ts'

/**
 * A settled EIP-3009 authorization as the chain shows it: `AuthorizationUsed` and the `Transfer` that follows it in the
 * same contract call. Identified by network, transaction hash and the log index of the Transfer.
 */
export const ObservedSettlement = z.object({
  network: Network,
  txHash: Hash32,
  logIndex: z.number().int().nonnegative(),
  blockNumber: z.string().regex(/^\d+$/),
  blockHash: Hash32,
  /** The block's time. */
  observedAt: Timestamp,
  payer: Address,
  payTo: Address,
  asset: Address,
  amount: BaseUnitsText,
  decimals: z.number().int().nonnegative(),
  nonce: Hash32,
  /** The sender of the transaction: the facilitator, or the account that submitted first; null when not read. */
  facilitator: Address.nullable(),
  /**
   * The attribution codes at the end of the transaction's calldata, claimed by its sender; null when it carries none,
   * absent when not read. @source ERC-8021
   */
  builderCodes: BuilderCodes.nullable().optional(),
})
export type ObservedSettlement = z.output<typeof ObservedSettlement>
