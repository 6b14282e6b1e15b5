import { parseAbi } from 'viem'
import * as artifacts from './artifacts.generated.ts'

/** The ERC-20 reads and transfers that we use. */
export const erc20Abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/**
 * EIP-3009 as in USDC: each call in two forms, with `v, r, s` and with the signature as bytes. Contract wallets need
 * the bytes form.
 * @source EIP-3009; Circle FiatTokenV2_2
 */
export const eip3009Abi = parseAbi([
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
])

/** A contract wallet's verdict on a signature: 0x1626ba7e means valid. */
export const eip1271Abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])

export const splitterFactoryAbi = artifacts.splitterFactory.abi
export const settlementBatchAbi = artifacts.settlementBatch.abi
export const multicall3Abi = artifacts.multicall3.abi
export const stakeAbi = artifacts.testStake.abi
export const burnLedgerAbi = artifacts.burnLedger.abi
/** The events of ERC-8004’s identity and reputation registries, from our own contracts for local chains. */
export const identityRegistryAbi = artifacts.testIdentityRegistry.abi
export const reputationRegistryAbi = artifacts.testReputationRegistry.abi

/** ABI, creation code and runtime code of every contract of deploy/contracts. */
export { artifacts }
