import { wallet } from './wallets.ts'

/** The setting `DEVNET` of a chain at which no node answers, for services whose tests ask none. Its USDC is wallet 8's address. */
export const UNREACHABLE_DEVNET = JSON.stringify({
  rpcUrl: 'http://127.0.0.1:1',
  chainId: 31_337,
  usdc: wallet(8).address,
  splitterFactory: wallet(9).address,
})
