import type { livenessProber, Operation } from '@callboard/contract'
import type { ChainClients, ChainSet } from '@callboard/evm'
import type { Handler, HandlerContext, Kit } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { Reading } from './documented-client.ts'
import type { OauthTables } from './store/tables.ts'

export interface Parts {
  readonly chains: ChainSet
  readonly clients: ChainClients
  readonly reading: Reading
}

export type OauthKit = Kit<Config, OauthTables, Parts>
/** The one operation of others that this service calls. */
export type Callee = typeof livenessProber.readDocument
export type OauthContext = HandlerContext<OauthKit, Callee>
export type OauthHandler<Op extends Operation> = Handler<Op, OauthKit, Callee>
