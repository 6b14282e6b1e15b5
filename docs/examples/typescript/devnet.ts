import { readFileSync } from 'node:fs'
import { mnemonicToAccount } from 'viem/accounts'

/** What a running instance on the local chain writes into its data folder. */
interface Devnet {
  readonly rpcUrl: string
  readonly chainId: number
  readonly network: `eip155:${number}`
  readonly usdc: { readonly address: `0x${string}`; readonly name: string; readonly version: string }
  readonly mnemonic: string
  readonly baseUrl: string
  readonly facilitatorUrl: string
}

const file = process.env.CALLBOARD_DEVNET ?? new URL('../../../.callboard/devnet.json', import.meta.url)

export const devnet: Devnet = JSON.parse(readFileSync(file, 'utf8'))

/** One of the ten accounts that hold ether and test USDC. The demonstration uses 1, 2 and 3. */
export const accountOf = (addressIndex: number) => mnemonicToAccount(devnet.mnemonic, { addressIndex })
