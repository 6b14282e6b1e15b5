import { z } from 'zod'

/**
 * How far a settlement can be, the weakest first: `preconfirmed` its sequencer says that the block being built holds it ·
 * `included` a block of the chain holds it · `safe`, `finalized` that block is at or below the one that nodes call so.
 * An offer names one as `extra.confirmation`: from where on its seller counts it as paid.
 */
export const CONFIRMATIONS = ['preconfirmed', 'included', 'safe', 'finalized'] as const

export const ConfirmationText = z.enum(CONFIRMATIONS)
export type Confirmation = z.output<typeof ConfirmationText>

/** From where on a settlement counts on a chain, where an offer says nothing, and what an offer may say. */
export interface ConfirmationPolicy {
  readonly default: Confirmation
  readonly allowed: readonly Confirmation[]
}

/** How a settlement stands: from where on it was asked to count, and how far it is; null while it is not as far as any. */
export const ConfirmationReached = z.object({ policy: ConfirmationText, reached: ConfirmationText.nullable() })
export type ConfirmationReached = z.output<typeof ConfirmationReached>

/** Whether a settlement is as far as is asked. */
export const isAsFarAs = (reached: Confirmation | null, asked: Confirmation): boolean =>
  reached !== null && CONFIRMATIONS.indexOf(reached) >= CONFIRMATIONS.indexOf(asked)
