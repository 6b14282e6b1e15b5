import { type Caller, catalog, livenessProber, type Operation, x402Facilitator } from '@callboard/contract'
import type { ChainClients, ChainSet, SplitterFactories } from '@callboard/evm'
import type { BatchConsumer, Handler, HandlerContext, ServiceContext } from '@callboard/runtime'
import type { Address } from '@callboard/values'
import type { Config } from './config.ts'
import type { MirrorMeters } from './mirror/meters.ts'
import type { ProbesUnderWay } from './probing/probes-under-way.ts'
import type { ListingsTables } from './store/tables.ts'

export interface Resources {
  readonly chains: ChainSet
  readonly clients: ChainClients
  /** Whether splitter addresses may be returned, by network. */
  readonly factories: SplitterFactories
  readonly mirror: MirrorMeters
  readonly probes: ProbesUnderWay
}

export type ListingsContext = ServiceContext<Config, ListingsTables, Resources>
/** Other services' operations that this service calls. */
export const calls = [
  livenessProber.probe,
  livenessProber.readSource,
  livenessProber.targets,
  catalog.places,
  x402Facilitator.offer,
] as const
export type Callee = (typeof calls)[number]
export type ListingsCallingContext = HandlerContext<ListingsContext, Callee>
export type ListingsHandler<Op extends Operation> = Handler<Op, ListingsContext, Callee>
export type ListingsBatchConsumer = BatchConsumer<ListingsContext, ListingsTables>

/**
 * Returns the owner on whose behalf a bearer route is called.
 * @throws Error for other callers: the gateway lets none of them through
 */
export function ownerOf(caller: Caller): Address {
  if (caller.kind === 'anonymous' || caller.kind === 'session')
    throw new Error(`A ${caller.kind} caller owns no listing`)
  return caller.owner
}

/**
 * Returns who may see their own listings and postings and take them offline: also an owner in a browser, on the page of
 * their account. Publishing one and changing its content takes a bearer token.
 * @throws Error for a caller who owns nothing
 */
export const ownerInPersonOf = (caller: Caller): Address => (caller.kind === 'session' ? caller.owner : ownerOf(caller))
