import { type Operation, oauth, x402Facilitator } from '@callboard/contract'
import type { BatchConsumer, Call, Handler, ServiceContext } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { Claims } from './counting/claims.ts'
import type { TokenCounter } from './counting/token-counter.ts'
import type { Metering } from './metering.ts'
import type { Health } from './models/health.ts'
import type { ModelSet } from './models/model-set.ts'
import type { Upstreams } from './models/upstreams.ts'
import type { OnrampProvider } from './onramp/provider.ts'
import type { ReceiptSigner } from './receipts/signer.ts'
import type { CallBatcher } from './store/call-batcher.ts'
import type { RouterTables } from './store/tables.ts'
import type { TopUpOffers } from './top-ups/offers.ts'

export interface Resources {
  readonly models: ModelSet
  readonly upstreams: Upstreams
  readonly health: Health
  readonly metering: Metering
  readonly claims: Claims
  readonly offers: TopUpOffers
  readonly receipts: ReceiptSigner
  readonly tokens: TokenCounter
  readonly batcher: CallBatcher
  /** The seller of USDC; undefined where no provider is configured. */
  readonly onramp: OnrampProvider | undefined
}

/** The operations of other services that this one calls. */
export const calls = [
  ...[x402Facilitator.offer, x402Facilitator.purchase, x402Facilitator.purchaseState],
  x402Facilitator.faucet,
  oauth.sessionState,
] as const
export type Callee = (typeof calls)[number]

export type RouterContext = ServiceContext<Config, RouterTables, Resources>
/** What handlers and jobs have in common. */
export type RouterCallingContext = RouterContext & { readonly call: Call<Callee> }
export type RouterHandler<Op extends Operation> = Handler<Op, RouterContext, Callee>
export type RouterBatchConsumer = BatchConsumer<RouterContext, RouterTables>
