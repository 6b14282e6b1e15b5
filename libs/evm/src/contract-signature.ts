import { evmNetwork, type Hex } from '@callboard/values'
import {
  BaseError,
  ExecutionRevertedError,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type PublicClient,
} from 'viem'
import type { ContractSignature, VerifyContractSignature } from './check-siwe.ts'
import { type ChainClients, clientOf } from './client.ts'

/**
 * Asks the account's contract, on the chain that the message names, whether a signature is its own: EIP-1271, and
 * ERC-6492 for a wallet that is not deployed yet. One `eth_call`, which changes nothing on the chain.
 *
 * viem's own `verifyHash` is not used: it answers false when the node cannot be reached. Here a revert is false and
 * everything else is thrown.
 */
export const contractSignatureVerifier =
  (clients: ChainClients): VerifyContractSignature =>
  async (question) => {
    const client = clientOf(clients, evmNetwork(question.chainId))
    return isYes(await validatorAnswer(client, question))
  }

async function validatorAnswer(client: PublicClient, { address, hash, signature }: ContractSignature) {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [address, hash, signature],
    bytecode: erc6492SignatureValidatorByteCode,
  })
  try {
    return (await client.call({ data })).data
  } catch (error) {
    if (isRevert(error)) return undefined
    throw error
  }
}

const isYes = (answer: Hex | undefined) => answer !== undefined && BigInt(answer) === 1n

const isRevert = (error: unknown) =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError) !== null
