import type { BlockHeader, BlockRef } from './chain-data.ts'

/** What a provider showed in one answer: its newest block, and the one it has at the height of our cursor. */
export interface View {
  readonly head: BlockHeader
  readonly atCursor: BlockHeader | undefined
}

/**
 * How a provider stands to our cursor. `same`: it knows the block we stopped at. `lagging`: it has not come that far,
 * which says nothing of the chain. `other`: it has another block there.
 */
export type SyncStatus = 'same' | 'lagging' | 'other'

export function syncStatusOf({ head, atCursor }: View, cursor: BlockRef): SyncStatus {
  if (head.number < cursor.number || !atCursor) return 'lagging'
  return atCursor.hash === cursor.hash ? 'same' : 'other'
}

/** The highest final block under a head; at the head itself where finality is instant. */
export const finalHeight = (head: number, finalityDepth: number): number => Math.max(0, head - finalityDepth)

/** Thrown when no block within the finality depth is shared with the chain: what was final is not. Nothing is deleted. */
export class FinalityBroken extends Error {
  override readonly name = 'FinalityBroken'

  constructor(cursor: BlockRef, provider: string) {
    super(`No block above the final height is shared with ${provider}; the cursor is ${cursor.number} ${cursor.hash}`)
  }
}
