import { livenessProber, type Operation } from '@callboard/contract'
import type { ChainClients, ChainSet } from '@callboard/evm'
import type { Handler, HandlerContext, ServiceContext } from '@callboard/runtime'
import type { Reading } from './clients/reading.ts'
import type { Config } from './config.ts'
import type { Credentials } from './store/credentials.ts'
import type { OauthTables } from './store/tables.ts'
import type { ShownEpochs } from './tokens/shown-epochs.ts'

export interface Resources {
  readonly chains: ChainSet
  readonly clients: ChainClients
  readonly reading: Reading
  readonly credentials: Credentials
  readonly shownEpochs: ShownEpochs
}

export type OauthContext = ServiceContext<Config, OauthTables, Resources>
/** The only operation of another service that this one calls. */
export const calls = [livenessProber.readDocument] as const
type Callee = (typeof calls)[number]
export type OauthCallingContext = HandlerContext<OauthContext, Callee>
export type OauthHandler<Op extends Operation> = Handler<Op, OauthContext, Callee>
