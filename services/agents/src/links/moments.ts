import { channel } from 'node:diagnostics_channel'

/** Where each moment is told, by its name. Nobody listens in production; see `test/stop-at.ts`. */
export const MOMENTS_CHANNEL = 'callboard:agents:moment'

/**
 * The moments in the life of a link between which a process may die, in their order.
 *
 * `begun` the link holds a place, and oauth knows nothing of it · `keyed` the Router was asked for a key · `granted` oauth
 * has opened its token family · `live` it is written down, and the link that it replaces is ending · `ending` its end is
 * written down, and its tokens are good · `void` no token of it is accepted, and the Router has its keys.
 */
export const MOMENTS = ['begun', 'keyed', 'granted', 'live', 'ending', 'void'] as const

export type Moment = (typeof MOMENTS)[number]

const moments = channel(MOMENTS_CHANNEL)

/** Tells that a link stands at a moment. Costs nothing while nobody listens. */
export function passing(moment: Moment): void {
  if (moments.hasSubscribers) moments.publish(moment)
}
