import type { Caller, EventDeclaration, Operation, oauth, router, x402Facilitator } from '@callboard/contract'
import type { ChainClients, ChainSet } from '@callboard/evm'
import type { Call, EventConsumer, Handler, Kit } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { AgentsTables } from './store/tables.ts'

export interface Parts {
  readonly chains: ChainSet
  readonly clients: ChainClients
}

/** The operations of others that this service calls. */
export type Callee =
  | typeof oauth.createGrant
  | typeof oauth.findGrant
  | typeof oauth.approveGrant
  | typeof oauth.denyGrant
  | typeof oauth.revokeLink
  | typeof oauth.lastUses
  | typeof router.mintKey
  | typeof router.revokeKeys
  | typeof router.setAllowance
  | typeof router.view
  | typeof router.spentToday
  | typeof router.computeOfStake
  | typeof x402Facilitator.settle
  | typeof x402Facilitator.status

export type AgentsKit = Kit<Config, AgentsTables, Parts>
/** What handlers and jobs have in common. */
export type AgentsContext = AgentsKit & { readonly call: Call<Callee> }
export type AgentsHandler<Op extends Operation> = Handler<Op, AgentsKit, Callee>

export type AgentsConsumer<Event extends EventDeclaration> = EventConsumer<Event, AgentsKit, AgentsTables>

export type OwnerCaller = Extract<Caller, { kind: 'session' }>
export type AgentCaller = Extract<Caller, { kind: 'agent' }>
