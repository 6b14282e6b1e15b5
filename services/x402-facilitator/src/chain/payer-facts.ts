import { eip1271Abi, eip3009Abi, erc20Abi } from '@callboard/evm'
import type { Hex } from '@callboard/values'
import {
  type ChainFacts,
  type ExactTransfer,
  signatureFault,
  transferCalldataBytes,
  transferCalldataVrs,
  transferDigest,
} from '@callboard/x402'
import { concat, encodeFunctionData, type PublicClient } from 'viem'
import { asking, unlessFailed } from './chain-away.ts'

const EIP1271_MAGIC = '0x1626ba7e'

/**
 * The calldata of a transfer: in the form that takes v, r and s where the signature has them, else in the form that takes
 * bytes. The token decides by the payer's code in both forms. What is simulated is what is sent, suffix included.
 */
export const transferCalldata = ({ authorization, signature }: ExactTransfer, suffix: Hex): Hex =>
  concat([
    signatureFault(signature) === undefined
      ? transferCalldataVrs(authorization, signature)
      : transferCalldataBytes(authorization, signature),
    suffix,
  ])

/** What the chain says of a transfer that nobody has sent. */
export interface PayerFacts extends ChainFacts {
  readonly balance: bigint
}

/**
 * Asks everything about a transfer in one JSON-RPC batch: the payer's code, balance and nonce, the payer's own word on
 * the signature, and the transfer itself as an `eth_call` with the gas we would give it.
 * @throws ChainAway
 */
export async function readPayerFacts(
  client: PublicClient,
  transfer: ExactTransfer,
  calldata: Hex,
  gas: bigint,
): Promise<PayerFacts> {
  const { network, asset, authorization, signature } = transfer
  const { from, nonce, validAfter } = authorization
  const [payerCode, authorizationUsed, balance, word, simulated, head] = await asking(
    network,
    Promise.all([
      client.getCode({ address: from }),
      unlessFailed(
        client.readContract({
          address: asset,
          abi: eip3009Abi,
          functionName: 'authorizationState',
          args: [from, nonce],
        }),
      ),
      client.readContract({ address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [from] }),
      unlessFailed(client.call({ to: from, data: isValidSignature(transferDigest(transfer), signature), gas })),
      unlessFailed(client.call({ to: asset, data: calldata, gas })),
      client.getBlock({ blockTag: 'latest' }),
    ]),
  )
  // A call runs at the time of the newest block, which may be older than a window that is open by now.
  const judged = simulated !== undefined || head.timestamp > BigInt(validAfter)
  return {
    payerCode: payerCode ?? '0x',
    erc1271Valid: word?.data?.slice(0, 10) === EIP1271_MAGIC,
    assetDeployed: true,
    authorizationUsed,
    balance,
    ...(judged ? { simulated: simulated !== undefined } : {}),
  }
}

const isValidSignature = (digest: Hex, signature: Hex): Hex =>
  encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args: [digest, signature] })
