import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { FacilitatorRequest } from '@callboard/contract'
import { type Devnet, openDevnet, startPostgres } from '@callboard/embedded'
import { erc20Abi } from '@callboard/evm'
import { EIP3009_TYPES } from '@callboard/testkit/eip3009-types'
import { temporaryFolder } from '@callboard/testkit/folder'
import type { Address, Hex } from '@callboard/values'
import { createTestClient, http, publicActions, toHex, walletActions } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** Base units of one payment. */
export const AMOUNT = 1_000n
/** Accounts that pay, each many times. */
const PAYERS = 50
/** Signing accounts of each facilitator. */
const LANES = 4

/**
 * How often an empty block is made. viem asks for a receipt again only after a new block: on a chain that makes none after
 * the last transaction, the reference waits three minutes for a receipt that it once asked for too early.
 */
export const BEAT_MS = 100

export interface World {
  readonly devnet: Devnet
  readonly databaseUrl: string
  /** Payments to the payees in turn, none of which was made before. */
  payments(count: number, payees: readonly Address[]): Promise<FacilitatorRequest[]>
  /** Keys of signing accounts that hold money for gas and that no other process uses. */
  lanes(): Promise<Hex[]>
  balanceOf(address: Address): Promise<bigint>
  /** Gas that transactions took together. */
  gasOf(hashes: readonly Hex[]): Promise<bigint>
  close(): Promise<void>
}

export const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address

/** A chain that makes a block for every transaction, a Postgres, and payers with money. */
export async function openWorld(): Promise<World> {
  const folder = temporaryFolder('callboard-settle-')
  const [devnet, postgres] = await Promise.all([openDevnet(), startPostgres({ dataDir: folder, fsync: true })])
  const databaseUrl = await postgres.createDatabase('settle')
  const node = createTestClient({ mode: 'anvil', transport: http(devnet.rpcUrl, { batch: true }), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  const beat = setInterval(() => void node.mine({ blocks: 1 }).catch(() => {}), BEAT_MS)
  const [bank] = devnet.accounts
  if (!bank) throw new Error('anvil has no accounts')
  const { usdc } = devnet
  const payers = Array.from({ length: PAYERS }, () => privateKeyToAccount(generatePrivateKey()))
  const give = (to: Address) =>
    node.writeContract({
      ...{ account: bank, chain: null, address: usdc.address, abi: erc20Abi },
      ...{ functionName: 'transfer', args: [to, 150_000_000n], gas: 200_000n },
    })
  for (const { address } of payers) await give(address)

  const pay = async (payer: PrivateKeyAccount, payTo: Address): Promise<FacilitatorRequest> => {
    const authorization = {
      from: payer.address,
      to: payTo,
      value: AMOUNT.toString(),
      validAfter: '0',
      validBefore: String(Math.floor(Date.now() / 1000) + 3_600),
      nonce: toHex(randomBytes(32)),
    }
    const signature = await payer.signTypedData({
      domain: { name: usdc.name, version: usdc.version, chainId: devnet.chainId, verifyingContract: usdc.address },
      types: EIP3009_TYPES,
      primaryType: 'TransferWithAuthorization',
      message: {
        ...authorization,
        value: AMOUNT,
        validAfter: 0n,
        validBefore: BigInt(authorization.validBefore),
      },
    })
    const accepted = {
      scheme: 'exact',
      network: devnet.network,
      amount: AMOUNT.toString(),
      asset: usdc.address,
      payTo,
      maxTimeoutSeconds: 3_600,
      extra: { name: usdc.name, version: usdc.version },
    }
    const resource = { url: 'https://api.example/weather', description: 'The weather', mimeType: 'application/json' }
    return {
      x402Version: 2,
      paymentPayload: { x402Version: 2, resource, accepted, payload: { signature, authorization } },
      paymentRequirements: accepted,
    }
  }

  return {
    devnet,
    databaseUrl,
    payments: (count, payees) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => {
          const [payer, payTo] = [payers[index % payers.length], payees[index % payees.length]]
          if (!payer || !payTo) throw new Error('there is no payer, or no payee')
          return pay(payer, payTo)
        }),
      ),
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
