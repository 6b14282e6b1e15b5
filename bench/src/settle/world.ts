import { rmSync } from 'node:fs'
import type { FacilitatorRequest } from '@callboard/contract'
import { type Devnet, openDevnet, startPostgres } from '@callboard/embedded'
import { erc20Abi } from '@callboard/evm'
import { temporaryFolder } from '@callboard/testkit/folder'
import type { Address, Hex } from '@callboard/values'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openPayers, type Terms } from './payers.ts'

/** Signing accounts of each facilitator. */
const LANES = 4

/**
 * How often an empty block is made. viem asks for a receipt again only after a new block: if none follows the last
 * transaction, the reference waits three minutes for a receipt that it once requested too early.
 */
export const BEAT_MS = 100

export interface World {
  readonly devnet: Devnet
  readonly databaseUrl: string
  /** New payments to the payees in turn. */
  payments(count: number, payees: readonly Address[], terms?: Terms): Promise<FacilitatorRequest[]>
  /** Keys of funded signing accounts that no other process uses. */
  lanes(): Promise<Hex[]>
  balanceOf(address: Address): Promise<bigint>
  /** The total gas of transactions. */
  gasOf(hashes: readonly Hex[]): Promise<bigint>
  close(): Promise<void>
}

export const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address

export interface WorldOptions {
  /** The fixed block interval. Default: a block for every transaction, and empty ones in between. */
  readonly blockTimeSeconds?: number
}

/** A chain, a Postgres, and payers with money. */
export async function openWorld({ blockTimeSeconds }: WorldOptions = {}): Promise<World> {
  const folder = temporaryFolder('callboard-settle-')
  const [devnet, postgres] = await Promise.all([openDevnet(), startPostgres({ dataDir: folder, fsync: true })])
  await postgres.createDatabase('settle')
  const databaseUrl = postgres.socketUrl('settle')
  const node = createTestClient({ mode: 'anvil', transport: http(devnet.rpcUrl, { batch: true }), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  const makeBlock = () => void node.mine({ blocks: 1 }).catch(() => {})
  const beat = blockTimeSeconds === undefined ? setInterval(makeBlock, BEAT_MS) : undefined
  const { usdc } = devnet
  const payments = await openPayers(devnet)
  if (blockTimeSeconds !== undefined) {
    await node.setAutomine(false)
    await node.setIntervalMining({ interval: blockTimeSeconds })
  }

  return {
    devnet,
    databaseUrl,
    payments,
    async lanes() {
      const keys = Array.from({ length: LANES }, () => generatePrivateKey())
      for (const key of keys) {
        await node.setBalance({ address: privateKeyToAccount(key).address, value: 10n ** 21n })
      }
      return keys
    },
    balanceOf: (address) =>
      node.readContract({ address: usdc.address, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    async gasOf(hashes) {
      const receipts = await Promise.all([...new Set(hashes)].map((hash) => node.getTransactionReceipt({ hash })))
      return receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
    },
    async close() {
      clearInterval(beat)
      await Promise.all([devnet.stop(), postgres.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
