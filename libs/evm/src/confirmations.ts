import type { Caip2 } from '@callboard/values'
import { CONFIRMATIONS, type Confirmation, type ConfirmationPolicy, ConfirmationText } from '@callboard/x402'
import { z } from 'zod'

/** An operator's settings for a chain's confirmations; the defaults apply to what is not set. */
export const AskedConfirmations = z.strictObject({
  default: ConfirmationText.optional(),
  allowed: z.array(ConfirmationText).min(1).optional(),
})
export type AskedConfirmations = z.output<typeof AskedConfirmations>

/** The properties of a chain that decide which confirmations exist on it. */
export interface Confirming {
  readonly network: Caip2
  readonly finality: 'instant' | 'tags'
  readonly preconfirmationMs?: number | undefined
}

/** The confirmations that exist on a chain. Where blocks are final as soon as they exist, there is only inclusion. */
const pointsOf = ({ finality, preconfirmationMs }: Confirming): readonly Confirmation[] => {
  if (finality === 'instant') return ['included']
  return preconfirmationMs === undefined ? ['included', 'safe', 'finalized'] : CONFIRMATIONS
}

/**
 * The confirmation policy of a chain. The default is inclusion, unless the operator sets another, and sellers may ask
 * for more; preconfirmation is available only if the operator allows it.
 * @throws Error that names what the chain does not have, or a default that is not allowed
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
