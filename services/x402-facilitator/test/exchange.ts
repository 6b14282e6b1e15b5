import { randomBytes } from 'node:crypto'
import type { FacilitatorRequest } from '@callboard/contract'
import { type Devnet, type DevnetOptions, openDevnet } from '@callboard/embedded'
import { type AskedConfirmations, artifacts, eip3009Abi, erc20Abi } from '@callboard/evm'
import {
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  until,
  wallet,
} from '@callboard/testkit'
import { EIP3009_TYPES } from '@callboard/testkit/eip3009-types'
import type { Address, Caip2, Hex } from '@callboard/values'
import { type Confirmation, type ExactRequirements, transferCalldataBytes } from '@callboard/x402'
import {
  createTestClient,
  createWalletClient,
  defineChain,
  getAddress,
  http,
  publicActions,
  toHex,
  walletActions,
} from 'viem'
import type { HDAccount } from 'viem/accounts'
import { x402Facilitator } from '../src/index.ts'

/** Anvil calls a block safe, and finalized, this many blocks later. */
export const SAFE_AFTER = 32
export const FINALIZED_AFTER = 64

/** Two signing accounts, far from the payers. */
export const LANES = [wallet(8), wallet(9)] as const
export const DECODE_PAY_TO = wallet(7).address

const keyHex = (account: HDAccount): Hex => toHex(account.getHdKey().privateKey ?? new Uint8Array())

export interface Terms {
  readonly amount?: bigint
  readonly payTo?: Address
  readonly nonce?: Hex
  readonly validAfter?: number
  readonly validBefore?: number
  readonly confirmation?: Confirmation
}

/** The environment of a test: a chain, a database, and payers who sign. Services are started on it. */
export interface Exchange {
  readonly devnet: Devnet
  readonly node: ReturnType<typeof testNode>
  readonly database: TestDatabase
  readonly network: Caip2
  readonly env: Record<string, string>
  /** Settings of a service that reaches the chain through another URL. */
  via(rpcUrl: string): Record<string, string>
  start(env?: Record<string, string>): Promise<TestServices>
  requirement(terms?: Terms): ExactRequirements
  /** A signed payment; `by` signs for `from` where the two differ. */
  pay(payer: HDAccount, terms?: Terms, more?: { from?: Address; extensions?: Record<string, unknown> }): Promise<Signed>
  balanceOf(address: Address): Promise<bigint>
  /** Its row in the facilitator's table; undefined if there is none. */
  rowOf(signed: Signed): Promise<Awaited<ReturnType<TestDatabase['query']>>[number] | undefined>
  /** How often the authorization was used on the chain. */
  uses(signed: Signed): Promise<number>
  /** Submits the authorization as a third party would, and waits for its block. @returns the transaction's hash */
  submit(signed: Signed): Promise<Hex>
  /** The same with a fee that puts it first in the next block; does not wait for that block. */
  submitDear(signed: Signed): Promise<Hex>
  /** Resolves once a transaction is pending at the node. */
  isSent(): Promise<unknown>
  /** Cancels an authorization, and waits for the block. @returns the block's number */
  cancel(payer: HDAccount, nonce: Hex): Promise<bigint>
  /** The same with a fee that puts it first in the next block; does not wait for that block. */
  cancelDear(payer: HDAccount, nonce: Hex): Promise<Hex>
  /** Uses a signing account's next nonce outside of the service. */
  useNonce(lane: HDAccount): Promise<void>
  /** A new account with this much USDC. */
  funded(amount: bigint): Promise<HDAccount>
  fund(account: Address, amount: bigint): Promise<void>
  blacklist(account: Address): Promise<void>
  /** Pauses or resumes all transfers of the token; the transaction goes first and is not waited for. */
  pause(paused: boolean): Promise<Hex>
  deployWallet(owner: Address): Promise<Address>
  close(): Promise<void>
}

export type Signed = FacilitatorRequest & {
  readonly paymentPayload: { payload: { signature: Hex; authorization: Authorization } }
}
interface Authorization {
  readonly from: Address
  readonly to: Address
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: Hex
}

const testNode = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)

export const newNonce = (): Hex => toHex(randomBytes(32))

const anvil = (id: number, rpcUrl: string) =>
  defineChain({
    id,
    name: 'anvil',
    nativeCurrency: { name: 'ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })

let freshIndex = 100

/** The chain's settings for the service. */
interface Rules {
  readonly finality?: string
  readonly finalityDepth?: number
  readonly preconfirmations?: AskedConfirmations
  readonly blockTimeMs?: number
}

export async function openExchange(
  postgresUrl: string,
  {
    finality = 'instant',
    finalityDepth = 0,
    preconfirmations,
    blockTimeMs = 250,
    ...options
  }: DevnetOptions & Rules = {},
): Promise<Exchange> {
  const [devnet, database] = await Promise.all([openDevnet(options), testDatabase(postgresUrl)])
  const node = testNode(devnet.rpcUrl)
  const { usdc, network, chainId } = devnet
  const thirdParty = createWalletClient({
    account: wallet(6),
    chain: anvil(chainId, devnet.rpcUrl),
    transport: http(devnet.rpcUrl),
  })
  const via = (rpcUrl: string) => ({
    DEVNET: JSON.stringify({
      rpcUrl,
      chainId,
      usdc: usdc.address,
      splitterFactory: devnet.splitterFactory,
      settlementBatch: devnet.settlementBatch,
      blockTimeMs,
      finality,
      finalityDepth,
      ...(preconfirmations ? { preconfirmationMs: 50, confirmation: preconfirmations } : {}),
    }),
  })
  const env = {
    ...via(devnet.rpcUrl),
    FACILITATOR_KEYS: LANES.map(keyHex).join(','),
    BASE_URL: 'https://callboard.example',
    DECODE_PAY_TO,
    SETTLE_WAIT_MS: '8000',
    RESEND_AFTER_MS: '500',
    X402_V1: 'true',
  }

  const requirement = ({
    amount = 10_000n,
    payTo = wallet(5).address,
    confirmation,
  }: Terms = {}): ExactRequirements => ({
    scheme: 'exact',
    network,
    amount: amount.toString(),
    asset: usdc.address,
    payTo,
    maxTimeoutSeconds: 300,
    extra: { name: usdc.name, version: usdc.version, ...(confirmation && { confirmation }) },
  })

  /** The token's minter on this chain, ready to send. */
  const minter = async () => {
    const { abi } = artifacts.testUSDC
    const address = await node.readContract({ address: usdc.address, abi, functionName: 'minter' })
    await node.impersonateAccount({ address })
    return address
  }

  const submit = ({ paymentPayload: { payload } }: Signed, gwei: bigint) =>
    thirdParty.sendTransaction({
      to: usdc.address,
      data: transferCalldataBytes(payload.authorization, payload.signature),
      gas: 200_000n,
      maxFeePerGas: gwei * 1_000_000_000n,
      maxPriorityFeePerGas: gwei * 1_000_000_000n,
    })

  const cancel = async (payer: HDAccount, nonce: Hex, gwei: bigint) =>
    thirdParty.writeContract({
      address: usdc.address,
      abi: eip3009Abi,
      functionName: 'cancelAuthorization',
      args: [
        payer.address,
        nonce,
        await payer.signTypedData({
          domain: { name: usdc.name, version: usdc.version, chainId, verifyingContract: usdc.address },
          types: EIP3009_TYPES,
          primaryType: 'CancelAuthorization',
          message: { authorizer: payer.address, nonce },
        }),
      ],
      gas: 200_000n,
      maxFeePerGas: gwei * 1_000_000_000n,
      maxPriorityFeePerGas: gwei * 1_000_000_000n,
    })

  const exchange: Exchange = {
    devnet,
    node,
    database,
    network,
    env,
    via,
    start: (more = {}) => startTestServices([x402Facilitator], { databaseUrl: database.url, env: { ...env, ...more } }),
    requirement,
    async pay(payer, terms = {}, { from = payer.address, extensions } = {}) {
      const now = Math.floor(Date.now() / 1000)
      const required = requirement(terms)
      const authorization: Authorization = {
        from,
        to: required.payTo,
        value: required.amount,
        validAfter: String(terms.validAfter ?? 0),
        validBefore: String(terms.validBefore ?? now + 300),
        nonce: terms.nonce ?? newNonce(),
      }
      const signature = await payer.signTypedData({
        domain: { name: usdc.name, version: usdc.version, chainId, verifyingContract: usdc.address },
        types: EIP3009_TYPES,
        primaryType: 'TransferWithAuthorization',
        message: {
          ...authorization,
          value: BigInt(authorization.value),
          validAfter: BigInt(authorization.validAfter),
          validBefore: BigInt(authorization.validBefore),
        },
      })
      return {
        x402Version: 2,
        paymentPayload: {
          x402Version: 2,
          resource: { url: 'https://api.example/weather?city=oslo', description: 'The weather' },
          accepted: required,
          payload: { signature, authorization },
          ...(extensions ? { extensions } : {}),
        },
        paymentRequirements: required,
      }
    },
    balanceOf: (address) =>
      node.readContract({ address: usdc.address, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    async rowOf({ paymentPayload: { payload } }) {
      const { nonce } = payload.authorization
      return (await database.query('select * from x402_facilitator.payment where nonce = $1', [nonce]))[0]
    },
    async uses({ paymentPayload: { payload } }) {
      const { from, nonce } = payload.authorization
      const logs = await node.getContractEvents({
        address: usdc.address,
        abi: eip3009Abi,
        eventName: 'AuthorizationUsed',
        args: { authorizer: from, nonce },
        fromBlock: 0n,
      })
      return logs.length
    },
    async submit(signed) {
      const hash = await submit(signed, 3n)
      await node.waitForTransactionReceipt({ hash })
      return hash
    },
    submitDear: (signed) => submit(signed, 100n),
    isSent: () => until('a transaction waits for a block', async () => (await node.getTxpoolStatus()).pending > 0),
    async cancel(payer, nonce) {
      const { blockNumber } = await node.waitForTransactionReceipt({ hash: await cancel(payer, nonce, 3n) })
      return blockNumber
    },
    cancelDear: (payer, nonce) => cancel(payer, nonce, 100n),
    async useNonce(account) {
      const chain = anvil(chainId, devnet.rpcUrl)
      const outside = createWalletClient({ account, chain, transport: http(devnet.rpcUrl) })
      const hash = await outside.sendTransaction({ to: account.address, value: 1n })
      await node.waitForTransactionReceipt({ hash })
    },
    async fund(to, amount) {
      const hash = await thirdParty.writeContract({
        address: usdc.address,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [to, amount],
        gas: 100_000n,
      })
      await node.waitForTransactionReceipt({ hash })
    },
    async funded(amount) {
      const account = wallet(freshIndex++)
      await exchange.fund(account.address, amount)
      return account
    },
    async pause(paused) {
      return node.writeContract({
        account: await minter(),
        chain: null,
        address: usdc.address,
        abi: artifacts.testUSDC.abi,
        functionName: paused ? 'pause' : 'unpause',
        gas: 100_000n,
        maxFeePerGas: 100_000_000_000n,
        maxPriorityFeePerGas: 100_000_000_000n,
      })
    },
    async blacklist(account) {
      const hash = await node.writeContract({
        account: await minter(),
        chain: null,
        address: usdc.address,
        abi: artifacts.testUSDC.abi,
        functionName: 'blacklist',
        args: [account],
        gas: 100_000n,
      })
      await node.waitForTransactionReceipt({ hash })
    },
    async deployWallet(owner) {
      const hash = await thirdParty.deployContract({ ...artifacts.testWallet1271, args: [owner], gas: 2_000_000n })
      const { contractAddress } = await node.waitForTransactionReceipt({ hash })
      if (!contractAddress) throw new Error('the wallet was not deployed')
      return getAddress(contractAddress)
    },
    async close() {
      await Promise.all([devnet.stop(), database.drop()])
    },
  }
  return exchange
}
