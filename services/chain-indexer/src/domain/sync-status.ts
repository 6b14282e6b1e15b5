import type { BlockHeader, BlockRef } from './chain-data.ts'

/** What a provider returned in one answer: its newest block, and its block at the height of our cursor. */
export interface View {
  readonly head: BlockHeader
  readonly atCursor: BlockHeader | undefined
}

/**
 * How a provider relates to our cursor. `same`: it has the block at which we stopped. `lagging`: it has not come that
 * far, which tells nothing about the chain. `other`: it has another block there.
 */
export type SyncStatus = 'same' | 'lagging' | 'other'

export function syncStatusOf({ head, atCursor }: View, cursor: BlockRef): SyncStatus {
  if (head.number < cursor.number || !atCursor) return 'lagging'
  return atCursor.hash === cursor.hash ? 'same' : 'other'
}

/** The highest final block below a head; the head itself where finality is instant. */
export const finalHeight = (head: number, finalityDepth: number): number => Math.max(0, head - finalityDepth)

/** Thrown when the chain shares no block within the finality depth: final blocks are gone. Nothing is deleted. */
export class FinalityBroken extends Error {
  override readonly name = 'FinalityBroken'

  constructor(cursor: BlockRef, provider: string) {
    super(`No block above the final height is shared with ${provider}; the cursor is ${cursor.number} ${cursor.hash}`)
  }
}
