import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { type Address, encodeFunctionResult, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  AUTHORIZATION,
  BASE_USDC,
  PAYER_KEY,
  REQUIREMENTS,
  THIRD_PARTY,
  THIRD_PARTY_KEY,
  TOKENS,
} from '../../test/vectors.ts'
import { type ChainFacts, judgeChainFacts } from '../authorization/chain-facts.ts'
import { checkAuthorization, transferDigest } from '../authorization/check-authorization.ts'
import { authorizationDigest } from '../authorization/eip3009.ts'
import { recover } from '../authorization/signature.ts'
import type { Authorization } from './payment-payload.ts'
import type { ExactRequirements } from './payment-requirements.ts'
import { readPresentedPayment } from './presented-payment.ts'

/** One payment with one fault, and the chain state it meets. */
interface Case {
  readonly authorization?: Partial<Authorization>
  readonly acceptedNetwork?: `eip155:${number}`
  readonly required?: Partial<ExactRequirements>
  readonly signedDomain?: { chainId?: number; verifyingContract?: Address }
  readonly key?: Hex
  readonly facts?: Partial<ChainFacts>
}

const now = Math.floor(Date.now() / 1000)
const SOUND: ChainFacts = { payerCode: '0x', assetDeployed: true, authorizationUsed: false, balance: 10_000n }

async function paymentOf(one: Case) {
  const authorization = { ...AUTHORIZATION, validBefore: `${now + 300}`, ...one.authorization }
  const paymentRequirements = { ...REQUIREMENTS, ...one.required }
  const domain = { ...REQUIREMENTS.extra, chainId: 8453, verifyingContract: BASE_USDC, ...one.signedDomain }
  const signature = await privateKeyToAccount(one.key ?? PAYER_KEY).sign({
    hash: authorizationDigest(domain, authorization),
  })
  const accepted = { ...paymentRequirements, network: one.acceptedNetwork ?? paymentRequirements.network }
  return {
    paymentPayload: { x402Version: 2 as const, accepted, payload: { signature, authorization } },
    paymentRequirements,
  }
}

async function ours(one: Case): Promise<string> {
  const read = readPresentedPayment(await paymentOf(one))
  if (!read.ok) return read.reason
  const checked = checkAuthorization(read.payment, { tokens: TOKENS, now })
  if (!checked.ok) return checked.reason
  const recovered = await recover(transferDigest(checked.transfer), checked.transfer.signature)
  const verdict = judgeChainFacts(checked.transfer, recovered, { ...SOUND, ...one.facts })
  return verdict.ok ? 'ok' : verdict.reason
}

/** The verdict of @x402/evm on a chain that answers from the same facts. */
async function theirs(one: Case): Promise<string> {
  const facts = { ...SOUND, ...one.facts }
  const { paymentPayload, paymentRequirements } = await paymentOf(one)
  const transfers = facts.payerCode === '0x' || facts.erc1271Valid === true
  const takes = transfers && !facts.authorizationUsed && (facts.balance ?? 0n) >= BigInt(paymentRequirements.amount)
  const answer = (functionName: string, type: string, value: unknown) => ({
    success: true,
    returnData: encodeFunctionResult({
      abi: [{ type: 'function', name: functionName, inputs: [], outputs: [{ type }], stateMutability: 'view' }],
      functionName,
      result: value,
    }),
  })
  const unused = () => Promise.reject(new Error('verify sends nothing'))
  const scheme = new ExactEvmScheme({
    getAddresses: () => [THIRD_PARTY],
    getCode: async ({ address }) => (address === BASE_USDC ? '0x6080' : facts.payerCode),
    readContract: async ({ functionName }) => {
      if (functionName === 'isValidSignature') return facts.erc1271Valid ? '0x1626ba7e' : '0xffffffff'
      if (functionName === 'tryAggregate') {
        return [
          answer('balanceOf', 'uint256', facts.balance),
          answer('name', 'string', 'USD Coin'),
          answer('version', 'string', '2'),
          answer('authorizationState', 'bool', facts.authorizationUsed),
        ]
      }
      return takes ? undefined : unused()
    },
    verifyTypedData: unused,
    writeContract: unused,
    sendTransaction: unused,
    waitForTransactionReceipt: unused,
  })
  const verdict = await scheme.verify(paymentPayload as Parameters<typeof scheme.verify>[0], paymentRequirements)
  return verdict.isValid ? 'ok' : String(verdict.invalidReason)
}

describe('reasons', () => {
  test.each<[string, Case, string]>([
    ['sound payment', {}, 'ok'],
    [
      'wrong amount, one less',
      { authorization: { value: '9999' } },
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    [
      'wrong amount, one more',
      { authorization: { value: '10001' } },
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    ['wrong recipient', { authorization: { to: THIRD_PARTY } }, 'invalid_exact_evm_recipient_mismatch'],
    ['wrong token', { signedDomain: { verifyingContract: THIRD_PARTY } }, 'invalid_exact_evm_signature'],
    ['wrong chain accepted', { acceptedNetwork: 'eip155:5042' }, 'invalid_exact_evm_network_mismatch'],
    ['wrong chain signed', { signedDomain: { chainId: 1 } }, 'invalid_exact_evm_signature'],
    ['expired', { authorization: { validBefore: `${now}` } }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [
      'not yet valid',
      { authorization: { validAfter: `${now + 100}` } },
      'invalid_exact_evm_payload_authorization_valid_after',
    ],
    ['signature of another key', { key: THIRD_PARTY_KEY }, 'invalid_exact_evm_signature'],
    ['nonce already used', { facts: { authorizationUsed: true } }, 'invalid_exact_evm_nonce_already_used'],
    ['insufficient balance', { facts: { balance: 9_999n } }, 'invalid_exact_evm_insufficient_balance'],
    [
      'payer with code that says no',
      { facts: { payerCode: '0x6080', erc1271Valid: false } },
      'invalid_exact_evm_signature',
    ],
    ['payer with code that says yes', { facts: { payerCode: '0x6080', erc1271Valid: true } }, 'ok'],
  ])('behavior: %s → the reason of @x402/evm 2.27', async (_, one, reason) => {
    expect(await ours(one)).toBe(reason)
    expect(await theirs(one)).toBe(reason)
  })
})
