import { evmNetwork, type Hex, ZERO_ADDRESS } from '@callboard/values'
import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type PublicClient,
  size,
} from 'viem'
import { eip1271Abi } from './abis.ts'
import { isFailedCall } from './answers.ts'
import { type ChainClients, clientOf } from './client.ts'
import type { ContractSignature, VerifyContractSignature } from './siwe/check.ts'

/** EIP-1271: `isValidSignature.selector`, as ABI encoding pads it. */
const IS_VALID = `0x1626ba7e${'0'.repeat(56)}`
/** The validator of ERC-6492 reads the last 32 bytes of a signature, and fails on a shorter one. */
const VALIDATOR_READS_BYTES = 32
/**
 * Gas of one question: several times what the deployment of a wallet and a costly proof take. Without a limit a node
 * grants as much as it allows, and a third party's contract then keeps it busy for longer than a request waits; the
 * requests that share its JSON-RPC batch fail with it.
 */
const GAS = 10_000_000n

/**
 * Asks the account's contract, on the message's chain, whether a signature is its own: EIP-1271 with any bytes, even
 * none, which is how a Safe shows a message that its owners approved on chain; and ERC-6492 for a wallet that is not
 * deployed yet. One `eth_call`, which changes nothing on the chain.
 *
 * viem's own `verifyHash` is not used: it returns false when the node cannot be reached. Here a contract that fails is
 * false and every other error is thrown.
 */
export const contractSignatureVerifier =
  (clients: ChainClients): VerifyContractSignature =>
  async (question) => {
    const client = clientOf(clients, evmNetwork(question.chainId))
    // The validator recovers this address from every signature of no key.
    if (question.address === ZERO_ADDRESS) return false
    return size(question.signature) < VALIDATOR_READS_BYTES
      ? (await contractAnswer(client, question))?.slice(0, IS_VALID.length) === IS_VALID
      : isYes(await validatorAnswer(client, question))
  }

/** The contract's own answer. Compared to the last byte: a precompile may answer with its input. */
const contractAnswer = (client: PublicClient, { address, hash, signature }: ContractSignature) =>
  unlessItFails(() =>
    client.call({
      to: address,
      data: encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args: [hash, signature] }),
      gas: GAS,
    }),
  )

const validatorAnswer = (client: PublicClient, { address, hash, signature }: ContractSignature) =>
  unlessItFails(() =>
    client.call({
      data: encodeDeployData({
        abi: erc6492SignatureValidatorAbi,
        args: [address, hash, signature],
        bytecode: erc6492SignatureValidatorByteCode,
      }),
      gas: GAS,
    }),
  )

/** @returns undefined where the contract failed @throws where the node gave no answer */
async function unlessItFails(ask: () => Promise<{ readonly data?: Hex | undefined }>): Promise<Hex | undefined> {
  try {
    return (await ask()).data
  } catch (error) {
    if (isFailedCall(error)) return undefined
    throw error
  }
}

const isYes = (answer: Hex | undefined) => answer !== undefined && BigInt(answer) === 1n
