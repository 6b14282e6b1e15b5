import { channel } from 'node:diagnostics_channel'

/** Where each moment is told, as a `Moment`. Nobody listens in production; see `test/stop-at.ts`. */
export const MOMENTS_CHANNEL = 'callboard:x402-facilitator:moment'

/**
 * The moments of a settlement between which a process may die, in their order.
 *
 * `claimed` the key is taken · `verified` the token would take it, which is not written down · `chosen` it has its place in
 * a signed transaction that is not stored · `stored` the transaction is stored · `sent` a node has it, and the row does not
 * say so · `broadcast` the row says so, where no block came at once · `seen` it stands in a block · `settled` the success is
 * stored and nobody was told · `concluded` the failure is · `displaced` its chain nonce was taken · `repriced` a dearer
 * transaction is stored in its place and not sent · `vanished` its block is gone, and it is not sent again yet ·
 * `finalized` its outcome cannot go away.
 */
export const MOMENTS = [
  'claimed',
  'verified',
  'chosen',
  'stored',
  'sent',
  'broadcast',
  'seen',
  'settled',
  'concluded',
  'displaced',
  'repriced',
  'vanished',
  'finalized',
] as const

export interface Moment {
  readonly name: (typeof MOMENTS)[number]
  /** How many payments stand there together; more than one where they share a transaction or a write. */
  readonly payments: number
}

const moments = channel(MOMENTS_CHANNEL)

/** Tells that payments stand at a moment. Costs nothing while nobody listens. */
export function passing(name: Moment['name'], payments: number): void {
  if (moments.hasSubscribers && payments > 0) moments.publish({ name, payments } satisfies Moment)
}
