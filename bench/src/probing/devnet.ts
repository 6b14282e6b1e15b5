import type { Address } from '@callboard/values'

/** A token and a payee of no chain: the prober asks no node, it only compares. */
export const USDC: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const PAY_TO: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** The chain on which the targets' offers are payable, as the services' setting. */
export const DEVNET = JSON.stringify({
  rpcUrl: 'http://127.0.0.1:1',
  chainId: 31_337,
  usdc: USDC,
  splitterFactory: PAY_TO,
})
