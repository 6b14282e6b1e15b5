import type { Address, Hex } from '@callboard/values'
import { concat, encodeFunctionData, getContractAddress, pad } from 'viem'
import { splitterFactory } from './artifacts.generated.ts'

/** The network's share with which our factories are deployed, in basis points: 5 %. */
export const SPLITTER_FEE_BP = 500

/** A transaction for another party's wallet to send. `value` is decimal text in wei. */
export interface DeployTransaction {
  readonly to: Address
  readonly data: Hex
  readonly value: '0'
}

/** The contract that a factory's splitters delegate to: the factory's first creation (its nonce is then 1, EIP-161). */
export const splitterImplementation = (factory: Address): Address => getContractAddress({ from: factory, nonce: 1n })

/**
 * The whole code of a deployed splitter: EIP-1167's delegation followed by the payout wallet. Lower case, as nodes
 * answer `eth_getCode`.
 */
export const splitterRuntime = (implementation: Address, wallet: Address): Hex =>
  concat(['0x363d3d373d3d3d363d73', lower(implementation), '0x5af43d82803e903d91602b57fd5bf3', lower(wallet)])

/** The creation code that the factory passes to CREATE2. 0x41 is the 65 bytes of runtime. */
export const splitterCreationCode = (implementation: Address, wallet: Address): Hex =>
  concat(['0x6100413d81600a3d39f3', splitterRuntime(implementation, wallet)])

/**
 * The current or future address of a payout wallet's splitter; it may receive money before it is deployed.
 * @param implementation only for factories other than ours
 * @source EIP-1014, with the wallet left-padded to 32 bytes as salt
 */
export const predictSplitter = (
  factory: Address,
  wallet: Address,
  implementation = splitterImplementation(factory),
): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: pad(wallet, { size: 32 }),
    bytecode: splitterCreationCode(implementation, wallet),
  })

/** The transaction that deploys the splitter of a wallet and pays out what has already arrived. Anyone may send it. */
export const deployTransaction = (factory: Address, wallet: Address): DeployTransaction => ({
  to: factory,
  data: encodeFunctionData({ abi: splitterFactory.abi, functionName: 'createAndDistribute', args: [wallet] }),
  value: '0',
})

/**
 * Whether an account's code is a splitter of this implementation for this wallet. One comparison of bytes proves that
 * it is deployed, whom it pays and that the logic is ours; no view of a contract that might lie is called.
 * @param code the answer of `eth_getCode`; undefined or "0x" is an account without code
 */
export const isOurSplitter = (code: Hex | undefined, implementation: Address, wallet: Address): boolean =>
  code?.toLowerCase() === splitterRuntime(implementation, wallet)

const lower = (address: Address) => address.toLowerCase() as Address
