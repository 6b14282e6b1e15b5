import { type Caller, type EventDeclaration, type Operation, oauth, router, x402Facilitator } from '@callboard/contract'
import type { ChainClients, ChainSet } from '@callboard/evm'
import type { Call, EventConsumer, Handler, ServiceContext } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { AgentsMeters } from './meters.ts'
import type { AgentsTables } from './store/tables.ts'

export interface Resources {
  readonly chains: ChainSet
  readonly clients: ChainClients
  readonly meters: AgentsMeters
}

/** The operations of other services that this one calls. */
export const calls = [
  oauth.createGrant,
  oauth.findGrant,
  oauth.approveGrant,
  oauth.denyGrant,
  oauth.revokeLink,
  oauth.lastUses,
  oauth.sessionState,
  router.mintKey,
  router.revokeKeys,
  router.setAllowance,
  router.view,
  router.spentToday,
  router.computeOfStake,
  x402Facilitator.settle,
  x402Facilitator.status,
] as const
export type Callee = (typeof calls)[number]

export type AgentsContext = ServiceContext<Config, AgentsTables, Resources>
/** What handlers and jobs have in common. */
export type AgentsCallingContext = AgentsContext & { readonly call: Call<Callee> }
export type AgentsHandler<Op extends Operation> = Handler<Op, AgentsContext, Callee>

export type AgentsConsumer<Event extends EventDeclaration> = EventConsumer<Event, AgentsContext, AgentsTables>

export type OwnerCaller = Extract<Caller, { kind: 'session' }>
export type AgentCaller = Extract<Caller, { kind: 'agent' }>
