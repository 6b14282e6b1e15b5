import { channel } from 'node:diagnostics_channel'

/** Published when work reaches a failpoint. */
export interface FailpointHit<Name extends string = string> {
  readonly name: Name
  /** How many pieces of work are there together; more than one where they share a transaction or a write. */
  readonly items: number
}

export interface Failpoints<Name extends string> {
  /** The diagnostics channel on which each hit is published, as a `FailpointHit`. */
  readonly channel: string
  /** In the order in which work reaches them. */
  readonly names: readonly Name[]
  /** Publishes that work is here. Costs nothing without a subscriber, and production has none. */
  hit(name: Name, items?: number): void
}

/** The channel for the failpoints of a service. */
export const failpointChannel = (service: string): string => `callboard:${service}:failpoint`

/**
 * Named places between two writes of a service's work, at which a test kills the process or makes a server unavailable.
 * @param service its name, e.g. `x402-facilitator`
 */
export function failpoints<const Name extends string>(service: string, names: readonly Name[]): Failpoints<Name> {
  const hits = channel(failpointChannel(service))
  return {
    channel: failpointChannel(service),
    names,
    hit(name, items = 1) {
      if (hits.hasSubscribers && items > 0) hits.publish({ name, items } satisfies FailpointHit<Name>)
    },
  }
}
