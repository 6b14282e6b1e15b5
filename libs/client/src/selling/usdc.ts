import type { Address, Caip2 } from '@callboard/values'
import { findDefaultAsset } from '@x402/evm'

/**
 * Whether a token is the USDC of a public network, native or bridged. Of some networks, the stock client knows other
 * dollars as well, also of 18 decimals: a splitter for one would keep the USDC that a buyer pays.
 */
export function isUsdc(network: Caip2, asset: Address): boolean {
  const found = findDefaultAsset(asset, network)
  return found !== undefined && /^USDC(\.e)?$/.test(found.symbol ?? '') && found.decimals === 6
}
