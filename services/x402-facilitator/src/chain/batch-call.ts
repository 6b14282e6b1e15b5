import { settlementBatchAbi } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { type ExactTransfer, transferCalldataVrs } from '@callboard/x402'
import { concat, encodeFunctionData } from 'viem'

/** A leg of a batch: the arguments of `transferWithAuthorization(…,v,r,s)` without its selector, 288 bytes. */
export const legOf = ({ authorization, signature }: ExactTransfer): Hex =>
  `0x${transferCalldataVrs(authorization, signature).slice(10)}`

/** Calldata of a batch, followed by the ERC-8021 suffix that all its payments share. */
export const batchCalldata = (token: Address, legGas: bigint, legs: readonly ExactTransfer[], suffix: Hex): Hex => {
  const args = [token, legGas, concat(legs.map(legOf))] as const
  return concat([encodeFunctionData({ abi: settlementBatchAbi, functionName: 'settle', args }), suffix])
}
