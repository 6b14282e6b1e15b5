import { z } from 'zod'

/**
 * How far a settlement is confirmed, weakest first: `preconfirmed` its sequencer says that the block being built holds
 * it · `included` a block of the chain holds it · `safe`, `finalized` nodes count that block as such. An offer names
 * one as `extra.confirmation`: from there on its seller counts it as paid.
 */
export const CONFIRMATIONS = ['preconfirmed', 'included', 'safe', 'finalized'] as const

export const ConfirmationText = z.enum(CONFIRMATIONS)
export type Confirmation = z.output<typeof ConfirmationText>

/** The default confirmation from which a settlement counts on a chain, and those that an offer may ask for. */
export interface ConfirmationPolicy {
  readonly default: Confirmation
  readonly allowed: readonly Confirmation[]
}

/** A settlement's policy and the confirmation it has reached; null while it has reached none. */
export const ConfirmationReached = z.object({ policy: ConfirmationText, reached: ConfirmationText.nullable() })
export type ConfirmationReached = z.output<typeof ConfirmationReached>

/** Whether a settlement has reached the policy asked for. */
export const isAsFarAs = (reached: Confirmation | null, asked: Confirmation): boolean =>
  reached !== null && CONFIRMATIONS.indexOf(reached) >= CONFIRMATIONS.indexOf(asked)
