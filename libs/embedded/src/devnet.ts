import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Caip2, evmNetwork } from '@callboard/values'
import { type Anvil, DEVNET_CHAIN_ID, DEVNET_MNEMONIC, startAnvil } from './anvil.ts'
import { type DevnetContracts, deployContracts } from './devnet-contracts.ts'
import { writeWhole } from './write-whole.ts'

export interface DevnetOptions {
  /** Callboard's data folder: holds the chain in `chain/` and `devnet.json`. Absent: a throw-away chain. */
  readonly dataDir?: string | undefined
  /** The URLs of the gateway and the facilitator, for `devnet.json`. */
  readonly baseUrl?: string | undefined
  readonly facilitatorUrl?: string | undefined
  readonly port?: number | undefined
  readonly portSetting?: string
  readonly chainId?: number
  readonly blockTimeSeconds?: number | undefined
  readonly log?: ((line: string) => void) | undefined
}

/** A running local chain with our contracts and money on it. */
export interface Devnet extends Anvil, DevnetContracts {
  readonly chainId: number
  readonly network: Caip2
  readonly mnemonic: string
}

/**
 * Starts the local chain, sets it up unless that was done, and writes `devnet.json` for clients and tools. Anyone on
 * this machine may use it: its keys are public.
 */
export async function openDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const { dataDir, baseUrl, facilitatorUrl, chainId = DEVNET_CHAIN_ID, ...more } = options
  const stateFile = dataDir === undefined ? undefined : join(dataDir, 'chain', 'state.json')
  const anvil = await startAnvil({ ...more, chainId, stateFile })
  try {
    const contracts = await deployContracts(anvil.rpcUrl)
    const devnet = { ...anvil, ...contracts, chainId, network: evmNetwork(chainId), mnemonic: DEVNET_MNEMONIC }
    if (dataDir !== undefined) writeDevnetFile(dataDir, devnet, { baseUrl, facilitatorUrl })
    return devnet
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** The URLs of the services on the devnet. */
export interface DevnetServices {
  readonly baseUrl?: string | undefined
  readonly facilitatorUrl?: string | undefined
}

/**
 * Writes `devnet.json`, atomically so that no reader sees half of it. May be called again once the services' URLs are
 * known.
 */
export function writeDevnetFile(dataDir: string, devnet: Devnet, { baseUrl, facilitatorUrl }: DevnetServices): void {
  const { rpcUrl, chainId, network, usdc, splitterFactory, stake, mnemonic } = devnet
  const { stakeToken, burnLedger, treasury, settlementBatch, multicall3, identityRegistry, reputationRegistry } = devnet
  const known = { rpcUrl, chainId, network, usdc, splitterFactory, stake, mnemonic, facilitatorUrl, baseUrl }
  const more = { stakeToken, burnLedger, treasury, settlementBatch, multicall3, identityRegistry, reputationRegistry }
  const file = join(dataDir, 'devnet.json')
  mkdirSync(dataDir, { recursive: true })
  writeWhole(file, `${JSON.stringify({ ...known, ...more }, null, 2)}\n`)
}
