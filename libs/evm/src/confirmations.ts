import type { Caip2 } from '@callboard/values'
import { CONFIRMATIONS, type Confirmation, type ConfirmationPolicy, ConfirmationText } from '@callboard/x402'
import { z } from 'zod'

/** What an operator says of a chain's confirmations; what is not said holds as before. */
export const AskedConfirmations = z.strictObject({
  default: ConfirmationText.optional(),
  allowed: z.array(ConfirmationText).min(1).optional(),
})
export type AskedConfirmations = z.output<typeof AskedConfirmations>

/** What of a chain decides how far a settlement can be on it. */
export interface Confirming {
  readonly network: Caip2
  readonly finality: 'instant' | 'tags'
  readonly preconfirmationMs?: number | undefined
}

/** How far a settlement can be on a chain. Where a block is final when it exists, there is nothing beside its inclusion. */
const pointsOf = ({ finality, preconfirmationMs }: Confirming): readonly Confirmation[] => {
  if (finality === 'instant') return ['included']
  return preconfirmationMs === undefined ? ['included', 'safe', 'finalized'] : CONFIRMATIONS
}

/**
 * From where on settlements of a chain count. Unless the operator says otherwise that is inclusion, and sellers may ask for
 * more than that: what a preconfirmation is worth, the operator has to allow.
 * @throws Error that names what the chain has not, or a default that is not allowed
 */
export function confirmationPolicy(chain: Confirming, asked: AskedConfirmations = {}): ConfirmationPolicy {
  const points = pointsOf(chain)
  const preset = asked.default ?? 'included'
  const allowed = asked.allowed ?? points.filter((point) => point !== 'preconfirmed' || point === preset)
  const missing = [...new Set([preset, ...allowed])].filter((point) => !points.includes(point))
  const problems = missing.map((point) => `${chain.network} takes no confirmation "${point}": ${whyNot(chain, point)}`)
  if (problems.length === 0 && !allowed.includes(preset)) {
    problems.push(`${chain.network} has the default confirmation "${preset}", which is not among those allowed`)
  }
  if (problems.length > 0) throw new Error(problems.join('; '))
  return { default: preset, allowed: CONFIRMATIONS.filter((point) => allowed.includes(point)) }
}

const whyNot = ({ finality }: Confirming, point: Confirmation): string =>
  point === 'preconfirmed' && finality !== 'instant'
    ? 'its sequencer tells nothing of the block that it builds'
    : 'its blocks are final when they exist, so that "included" is all there is'
