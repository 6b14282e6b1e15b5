import type { Operation } from '@callboard/contract'
import type { ChainClients, ChainSet } from '@callboard/evm'
import type { Handler, Kit } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { OauthTables } from './store/tables.ts'

export interface Parts {
  readonly chains: ChainSet
  readonly clients: ChainClients
}

export type OauthKit = Kit<Config, OauthTables, Parts>
export type OauthHandler<Op extends Operation> = Handler<Op, OauthKit>
