import { isUsdc, type KnownAsset, OutcomeUnknown } from '@callboard/client'
import { isOurSplitter, splitterImplementation } from '@callboard/evm/splitter'
import { splitterFactoryFault } from '@callboard/evm/splitter-factories'
import type { Address, Hex } from '@callboard/values'
import {
  BaseError,
  createPublicClient,
  createWalletClient,
  defineChain,
  HttpRequestError,
  http,
  InsufficientFundsError,
  keccak256,
  type PrivateKeyAccount,
  type PublicClient,
  parseAbi,
} from 'viem'
import { getNodeError } from 'viem/utils'
import { ChainUnreachable, TransactionFailed, Usage, WrongSplitter } from '../exit-codes.ts'
import { isHttpUrl } from '../settings.ts'
import type { ExpectedSplitter, SplitterCall } from './expected-splitter.ts'

const ABI = parseAbi(['function usdc() view returns (address)', 'function balanceOf(address) view returns (uint256)'])

/** A chain that a node answers for. */
export interface SellerChain {
  readonly client: PublicClient
  readonly rpcUrl: string
  readonly chainId: number
}

/** The node's address: `--rpc`, else CALLBOARD_RPC_URL. It may hold a secret, so it is printed nowhere. */
export function rpcUrlOf(given: unknown): string | undefined {
  const url = given === undefined ? process.env.CALLBOARD_RPC_URL || undefined : String(given)
  if (url !== undefined && !isHttpUrl(url)) throw new Usage('--rpc: is not a URL, for example https://mainnet.base.org')
  return url
}

/** @throws ChainUnreachable when the node cannot be asked, or answers for another chain */
export async function chainAt(rpcUrl: string, chainId: number): Promise<SellerChain> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const found = await asked(() => client.getChainId())
  if (found === chainId) return { client, rpcUrl, chainId }
  throw new ChainUnreachable(`The node of --rpc is of chain ${found}, and the splitter is on chain ${chainId}`)
}

/**
 * Checks by their code that a splitter's factory is ours and that it splits USDC: another factory could give what a buyer
 * pays to anyone. No word of the service counts.
 * @param assets the tokens that count as USDC, besides that of public networks
 * @returns the token
 * @throws WrongSplitter
 */
export async function requireOurFactory(
  { client }: SellerChain,
  { factory, network }: ExpectedSplitter,
  assets: readonly KnownAsset[],
): Promise<Address> {
  const address = splitterImplementation(factory)
  const token = await asked(() => client.readContract({ address, abi: ABI, functionName: 'usdc' })).catch(
    (cause: unknown) => {
      if (!(cause instanceof TransactionFailed)) throw cause
      throw new WrongSplitter(`The splitter is not ours: ${factory} is no splitter factory. Nothing was signed.`, {
        cause,
      })
    },
  )
  // Once the code is ours, its own token is the one that it was asked for.
  const fault = await asked(() => splitterFactoryFault(client, { splitterFactory: factory, usdc: { address: token } }))
  if (fault) throw new WrongSplitter(`The splitter is not ours: ${fault}. Nothing was signed.`)
  const isKnown = assets.some((one) => one.network === network && one.asset.toLowerCase() === token.toLowerCase())
  if (isKnown || isUsdc(network, token)) return token
  throw new WrongSplitter(
    `The splitter pays out ${token} on ${network}, which this command does not know to be USDC. If you trust that it is: --asset ${network}/${token}`,
  )
}

/** Whether the splitter is on the chain, and pays this wallet. */
export const isDeployed = ({ client }: SellerChain, { factory, address, wallet }: ExpectedSplitter): Promise<boolean> =>
  asked(async () => isOurSplitter(await client.getCode({ address }), splitterImplementation(factory), wallet))

/** What a splitter holds, in base units. */
export const balanceOf = ({ client }: SellerChain, token: Address, { address }: ExpectedSplitter): Promise<bigint> =>
  asked(() => client.readContract({ address: token, abi: ABI, functionName: 'balanceOf', args: [address] }))

/** What a transaction takes of gas, and pays for it. */
export interface Fee {
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** @throws TransactionFailed when it would revert, or the wallet cannot pay for it */
export const feeOf = ({ client }: SellerChain, account: PrivateKeyAccount, call: SplitterCall): Promise<Fee> =>
  asked(async () => {
    const [gas, { maxFeePerGas, maxPriorityFeePerGas }] = await Promise.all([
      client.estimateGas({ account, ...call }),
      client.estimateFeesPerGas(),
    ])
    return { gas, maxFeePerGas, maxPriorityFeePerGas }
  })

const RECEIPT_TIMEOUT_MS = 120_000

/**
 * Signs a transaction, sends it, and waits for its block.
 * @param call with the fee that was shown: the node is not asked for another one
 * @returns its hash
 * @throws TransactionFailed; OutcomeUnknown when no block contains it in time, or the node took it without an answer
 */
export async function sent(chain: SellerChain, account: PrivateKeyAccount, call: SplitterCall & Fee): Promise<Hex> {
  const { client, rpcUrl, chainId } = chain
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const named = defineChain({
    id: chainId,
    name: `eip155:${chainId}`,
    nativeCurrency,
    rpcUrls: { default: { http: [] } },
  })
  const wallet = createWalletClient({ account, chain: named, transport: http(rpcUrl) })
  const request = await asked(() => wallet.prepareTransactionRequest(call))
  const serializedTransaction = await wallet.signTransaction(request)
  // Known before it is sent: where the answer is lost, and the library sends it again, the node refuses the second one.
  const hash = keccak256(serializedTransaction)
  const refused = await asked(() => wallet.sendRawTransaction({ serializedTransaction })).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (refused !== undefined && !(await isKnown(client, hash)))
    throw refused instanceof ChainUnreachable ? unknownOutcome(`${hash} may be sent`, refused) : refused
  const receipt = await client
    .waitForTransactionReceipt({ hash, timeout: RECEIPT_TIMEOUT_MS })
    .catch((cause: unknown) => {
      throw unknownOutcome(`${hash} is sent`, cause)
    })
  if (receipt.status === 'success') return hash
  throw new TransactionFailed(`The transaction ${hash} reverted`)
}

const unknownOutcome = (what: string, cause: unknown) =>
  new OutcomeUnknown(
    `The transaction ${what}, and is not known to be in a block. Repeat the command when it is, or was dropped.`,
    { repeatable: false, cause },
  )

/** Whether the node has a transaction, in a block or waiting for one. */
const isKnown = (client: PublicClient, hash: Hex): Promise<boolean> =>
  client.getTransaction({ hash }).then(
    () => true,
    () => false,
  )

/** Asks a node. A library's message is not shown: it names the node's address, which may hold a secret. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause
    if (getNodeError(cause, {}) instanceof InsufficientFundsError)
      throw new TransactionFailed('The wallet has too little of the chain’s coin for gas. Nothing was sent.', { cause })
    if (cause.walk((error) => error instanceof HttpRequestError || (error as Error).name === 'TimeoutError'))
      throw new ChainUnreachable('The node of --rpc cannot be reached', { cause })
    throw new TransactionFailed('The chain refuses the request: it would revert, or the node cannot answer it', {
      cause,
    })
  }
}
