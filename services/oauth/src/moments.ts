import { channel } from 'node:diagnostics_channel'

/** Where each moment is told, by its name. Nobody listens in production. */
export const MOMENTS_CHANNEL = 'callboard:oauth:moment'

/**
 * The moments of an approval, a redemption or a rotation between which Postgres may be lost, in their order.
 *
 * `opened` an approved grant has its family, in an open transaction · `issued` so has a family its tokens · `written` all
 * of it is written, and not committed · `committed` it stands, and nobody was told.
 */
export const MOMENTS = ['opened', 'issued', 'written', 'committed'] as const

export type Moment = (typeof MOMENTS)[number]

const moments = channel(MOMENTS_CHANNEL)

/** Tells that a grant stands at a moment. Costs nothing while nobody listens. */
export function passing(moment: Moment): void {
  if (moments.hasSubscribers) moments.publish(moment)
}
