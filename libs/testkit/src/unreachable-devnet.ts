import { wallet } from './wallets.ts'

/** The setting `DEVNET` with an unreachable chain, for services whose tests need none. Its USDC is at wallet 8. */
export const UNREACHABLE_DEVNET = JSON.stringify({
  rpcUrl: 'http://127.0.0.1:1',
  chainId: 31_337,
  usdc: wallet(8).address,
  splitterFactory: wallet(9).address,
})
