import { eip1271Abi, eip3009Abi, erc20Abi } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import {
  type ChainFacts,
  type ExactTransfer,
  signatureFault,
  transferCalldataBytes,
  transferCalldataVrs,
  transferDigest,
} from '@callboard/x402'
import { concat, encodeFunctionData, type PublicClient } from 'viem'
import { readingChain, unlessFailed } from './chain-unavailable.ts'
import { startingGas } from './starting-gas.ts'

const EIP1271_MAGIC = '0x1626ba7e'

/**
 * The calldata of a transfer: in the form with v, r and s where the signature has them, else in the form with bytes. In
 * both, the token decides by the payer's code. What is simulated is exactly what is sent, suffix included.
 */
export const transferCalldata = ({ authorization, signature }: ExactTransfer, suffix: Hex): Hex =>
  concat([
    signatureFault(signature) === undefined
      ? transferCalldataVrs(authorization, signature)
      : transferCalldataBytes(authorization, signature),
    suffix,
  ])

/** What the chain says of a transfer that was not sent. */
export interface PayerFacts extends ChainFacts {
  readonly balance: bigint
  /** The token's issuer has stopped all transfers. */
  readonly paused: boolean
}

/** Code at the payer's address; "0x" where there is none. @throws ChainUnavailable */
export const readPayerCode = async (client: PublicClient, { network, authorization }: ExactTransfer): Promise<Hex> =>
  (await readingChain(network, client.getCode({ address: authorization.from }))) ?? '0x'

/** How a transfer is tried. */
interface TrialTerms {
  readonly gas: bigint
  readonly sender: Address
  /** The payer's code, where it was read just before. */
  readonly code?: Hex | undefined
}

/**
 * Reads everything about a transfer in one JSON-RPC batch: the payer's code, balance and nonce, its contract's verdict
 * on the signature, and the transfer as an `eth_call` with the gas and from the account it would have. A signature so
 * long that the gas is used up before the call begins is tried nowhere: nodes refuse it, each in its own words.
 * @throws ChainUnavailable
 */
export async function readPayerFacts(
  client: PublicClient,
  transfer: ExactTransfer,
  calldata: Hex,
  { gas, sender, code }: TrialTerms,
): Promise<PayerFacts> {
  const { network, asset, authorization, signature } = transfer
  const { from, nonce, validAfter } = authorization
  const tried = (call: () => ReturnType<PublicClient['call']>) =>
    startingGas(calldata) < gas ? unlessFailed(call()) : undefined
  const [payerCode, authorizationUsed, balance, word, simulated, paused, head] = await readingChain(
    network,
    Promise.all([
      code ?? client.getCode({ address: from }),
      readUsed(client, asset, [from, nonce]),
      client.readContract({ address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [from] }),
      // The token is the one that calls the payer's contract.
      tried(() =>
        client.call({
          account: asset,
          to: from,
          data: isValidSignature(transferDigest(transfer), signature),
          gas,
        }),
      ),
      tried(() => client.call({ account: sender, to: asset, data: calldata, gas })),
      isPaused(client, asset),
      client.getBlock({ blockTag: 'latest' }),
    ]),
  )
  // A call runs at the time of the newest block, which may precede the start of a window that is open by now.
  const judged = simulated !== undefined || head.timestamp > BigInt(validAfter)
  return {
    payerCode: payerCode ?? '0x',
    erc1271Valid: word?.data?.slice(0, 10) === EIP1271_MAGIC,
    assetDeployed: true,
    authorizationUsed,
    balance,
    paused,
    ...(judged ? { simulated: simulated !== undefined } : {}),
  }
}

/** Reads what matters of a payer without code that holds less than the amount. @throws ChainUnavailable */
export async function readPoorFacts(
  client: PublicClient,
  { network, asset, authorization: { from, nonce } }: ExactTransfer,
  balance: bigint,
): Promise<PayerFacts> {
  const [authorizationUsed, paused] = await readingChain(
    network,
    Promise.all([readUsed(client, asset, [from, nonce]), isPaused(client, asset)]),
  )
  return { payerCode: '0x', assetDeployed: true, authorizationUsed, balance, paused }
}

/** Whether the token has seen an authorization; undefined for a token that has no such function. */
const readUsed = (client: PublicClient, address: Address, args: readonly [from: Address, nonce: Hex]) =>
  unlessFailed(client.readContract({ address, abi: eip3009Abi, functionName: 'authorizationState', args }))

const PAUSED_SELECTOR = '0x5c975abb'

/** Whether a token says that it is paused, as USDC can; false for a token without this function. */
export async function isPaused(client: PublicClient, asset: Address, blockNumber?: bigint): Promise<boolean> {
  const at = blockNumber === undefined ? {} : { blockNumber }
  const answer = await unlessFailed(client.call({ to: asset, data: PAUSED_SELECTOR, ...at }))
  return answer?.data?.length === 66 && BigInt(answer.data) === 1n
}

const isValidSignature = (digest: Hex, signature: Hex): Hex =>
  encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args: [digest, signature] })
