import { isChainOutage } from '@callboard/evm'
import { unlessUnavailable } from '@callboard/runtime'
import type { ListingsContext } from './context.ts'

/** Queries a payout network. An outage never counts as a verdict on a listing or on a signature. */
export const unlessChainUnavailable = <T>(ctx: Pick<ListingsContext, 'log'>, ask: () => Promise<T>) =>
  unlessUnavailable(ctx, 'payout network', ask, isChainOutage)
