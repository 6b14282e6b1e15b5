import type { Caller, EventDeclaration, livenessProber, Operation } from '@callboard/contract'
import type { ChainClients, ChainSet } from '@callboard/evm'
import type { EventConsumer, Handler, HandlerContext, Kit } from '@callboard/runtime'
import type { Address } from '@callboard/values'
import type { Config } from './config.ts'
import type { ListingsTables } from './store/tables.ts'

export interface Parts {
  readonly chains: ChainSet
  readonly clients: ChainClients
}

export type ListingsKit = Kit<Config, ListingsTables, Parts>
/** The one operation of others that this service calls. */
export type Callee = typeof livenessProber.probe
export type ListingsContext = HandlerContext<ListingsKit, Callee>
export type ListingsHandler<Op extends Operation> = Handler<Op, ListingsKit, Callee>
export type ListingsConsumer<Event extends EventDeclaration> = EventConsumer<Event, ListingsKit, ListingsTables>

/**
 * On whose behalf a bearer route is called.
 * @throws Error for other callers: the gateway lets none of them through
 */
export function ownerOf(caller: Caller): Address {
  if (caller.kind === 'anonymous' || caller.kind === 'session')
    throw new Error(`A ${caller.kind} caller owns no listing`)
  return caller.owner
}
