import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { accountOfMnemonic } from '@callboard/evm'
import type { Address, Caip2 } from '@callboard/values'
import { type Account, type Chain, createPublicClient, createWalletClient, defineChain, http } from 'viem'

/** What `devnet.json` in the data folder says about the local chain and the instance on it. */
export interface Devnet {
  readonly rpcUrl: string
  readonly chainId: number
  readonly network: Caip2
  readonly usdc: { readonly address: Address; readonly name: string; readonly version: string }
  readonly treasury: Address
  readonly mnemonic: string
  readonly baseUrl: string
  readonly facilitatorUrl: string
}

/** The file in which an instance describes its chain. */
export const devnetFileOf = (env: NodeJS.ProcessEnv): string =>
  env.CALLBOARD_DEVNET || join(resolve(env.CALLBOARD_DATA || '.callboard'), 'devnet.json')

/** @throws Error that says what to do when no instance has written the file */
export function readDevnet(env: NodeJS.ProcessEnv): Devnet {
  const file = devnetFileOf(env)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Devnet
  } catch {
    throw new Error(`There is no devnet at ${file}: start one with npm start.`)
  }
}

/** The people of the demonstration, by index in the devnet's mnemonic; each has ether and test USDC. */
export const PEOPLE = { provider: 1, agent: 2, passerBy: 3 } as const

export const accountOf = (devnet: Devnet, addressIndex: number) => accountOfMnemonic(devnet.mnemonic, addressIndex)

const viemChain = ({ chainId, rpcUrl }: Devnet): Chain =>
  defineChain({
    id: chainId,
    name: 'Devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })

export const reader = (devnet: Devnet) =>
  createPublicClient({ chain: viemChain(devnet), transport: http(devnet.rpcUrl), pollingInterval: 100 })

export const writer = (devnet: Devnet, account: Account) =>
  createWalletClient({ account, chain: viemChain(devnet), transport: http(devnet.rpcUrl) })
