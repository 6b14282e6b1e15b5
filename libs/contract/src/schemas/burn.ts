import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Address, Network, Timestamp } from './words.ts'

const Tokens = z.string().regex(/^(0|[1-9]\d*)(\.\d+)?$/, 'must be a decimal number of tokens')

/** Tokens bought back and destroyed, as one log of a followed chain shows it. */
export const BurnItem = z.object({
  network: Network,
  txHash: z.string(),
  blockNumber: z.string(),
  /** The block's time. */
  observedAt: Timestamp,
  /** Whose tokens they were. */
  from: Address,
  token: Address,
  /** Whole tokens, exact to the last digit. */
  amount: Tokens,
})
export type BurnItem = z.output<typeof BurnItem>

export const BurnPage = z.object({
  generatedAt: Timestamp,
  /** Whole tokens of all burns, not only of this page. */
  totalBurned: Tokens,
  /** Newest first. */
  burns: z.array(BurnItem),
  /** Present when another page exists. */
  nextCursor: z.string().optional(),
})
export type BurnPage = z.output<typeof BurnPage>

nameSchemas({ BurnItem, BurnPage })
