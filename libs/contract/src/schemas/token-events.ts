import { BaseUnitsText, Hash32 } from '@callboard/x402'
import { z } from 'zod'
import { Address, Network, Timestamp } from './words.ts'

/** The position of a log in a chain; network, transaction hash and log index identify it. */
export const IN_BLOCK = {
  network: Network,
  txHash: Hash32,
  logIndex: z.number().int().nonnegative(),
  blockNumber: z.string().regex(/^\d+$/),
  blockHash: Hash32,
  /** The block's time. */
  observedAt: Timestamp,
}

/** A change of an owner's stake, as the stake contract logs it. */
export const StakeChange = z.object({
  ...IN_BLOCK,
  contract: Address,
  owner: Address,
  /** The owner's whole stake after the change. */
  stake: BaseUnitsText,
})
export type StakeChange = z.output<typeof StakeChange>

/** Tokens destroyed for good, as the burn ledger logs it. */
export const ObservedBurn = z.object({
  ...IN_BLOCK,
  ledger: Address,
  /** Whose tokens they were. */
  from: Address,
  token: Address,
  amount: BaseUnitsText,
  decimals: z.number().int().nonnegative(),
})
export type ObservedBurn = z.output<typeof ObservedBurn>

/** A deployed fee splitter, as its factory logs it. */
export const ObservedSplitter = z.object({ ...IN_BLOCK, splitter: Address, wallet: Address })
export type ObservedSplitter = z.output<typeof ObservedSplitter>

const Change = z.string().regex(/^(0|-?[1-9][0-9]{0,77})$/)

/** How a token transfer changed the supply; base units, negative for a decrease. */
export const ObservedSupplyChange = z.object({
  ...IN_BLOCK,
  token: Address,
  decimals: z.number().int().nonnegative(),
  totalChange: Change,
  /** The change of the part that is locked as stake. */
  lockedChange: Change,
})
export type ObservedSupplyChange = z.output<typeof ObservedSupplyChange>
