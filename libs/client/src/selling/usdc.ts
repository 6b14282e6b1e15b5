import type { Address, Caip2 } from '@callboard/values'
import { findDefaultAsset } from '@x402/evm'

/** Whether a token is the USDC of a public network. */
export const isUsdc = (network: Caip2, asset: Address): boolean => findDefaultAsset(asset, network) !== undefined
