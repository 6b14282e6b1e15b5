import { encodeAbiParameters } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  AUTHORIZATION,
  BASE_DOMAIN,
  BASE_USDC,
  DIGEST,
  malleated,
  PAY_TO,
  SIGNATURE,
  THIRD_PARTY,
  THIRD_PARTY_KEY,
} from '../../test/vectors.ts'
import { type ChainFacts, judgeChainFacts } from './chain-facts.ts'
import { type ExactTransfer, transferDigest } from './check-authorization.ts'
import { recover } from './signature.ts'

const TRANSFER: ExactTransfer = {
  x402Version: 2,
  network: 'eip155:8453',
  asset: BASE_USDC,
  payTo: PAY_TO,
  amount: '10000',
  domain: BASE_DOMAIN,
  authorization: AUTHORIZATION,
  signature: SIGNATURE,
}
const SOUND: ChainFacts = { payerCode: '0x', assetDeployed: true, authorizationUsed: false, balance: 10_000n }
const DELEGATED = `0xef0100${'11'.repeat(20)}` as const

const WRAPPED = `${encodeAbiParameters(
  [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
  [THIRD_PARTY, '0x1234', SIGNATURE],
)}${'6492'.repeat(16)}` as const

async function judge(facts: Partial<ChainFacts>, change: Partial<ExactTransfer> = {}) {
  const transfer = { ...TRANSFER, ...change }
  const recovered = await recover(transferDigest(transfer), transfer.signature)
  return judgeChainFacts(transfer, recovered, { ...SOUND, ...facts })
}

describe('judgeChainFacts', () => {
  test('default: a funded payer without code and with its own signature passes', async () => {
    expect(await judge({})).toEqual({ ok: true })
    expect(await judge({ simulated: true })).toEqual({ ok: true })
  })

  test('behavior: a token whose domain matches the signature passes, and its refusal has another reason', async () => {
    const own = { tokenName: BASE_DOMAIN.name, tokenVersion: BASE_DOMAIN.version }
    expect(await judge(own)).toEqual({ ok: true })
    expect(await judge({ ...own, simulated: false })).toEqual({
      ok: false,
      reason: 'invalid_exact_evm_transaction_simulation_failed',
    })
  })

  test('behavior: an unreadable balance does not matter where the transfer itself succeeded', async () => {
    expect(await judge({ balance: undefined, simulated: true })).toEqual({ ok: true })
  })

  test('behavior: a payer with code passes when its contract says so, whatever ECDSA says', async () => {
    expect(await judge({ payerCode: '0x6080', erc1271Valid: true }, { signature: '0x1234' })).toEqual({ ok: true })
    expect(await judge({ payerCode: DELEGATED, erc1271Valid: true })).toEqual({ ok: true })
  })

  test('error: refuses the signature of another key', async () => {
    const signature = await privateKeyToAccount(THIRD_PARTY_KEY).sign({ hash: DIGEST })
    expect(await judge({}, { signature })).toEqual({ ok: false, reason: 'invalid_exact_evm_signature' })
    expect(await judge({}, { signature, x402Version: 1 })).toEqual({
      ok: false,
      reason: 'invalid_exact_evm_payload_signature',
    })
  })

  test('error: refuses a signature for another token or another chain', async () => {
    for (const domain of [
      { ...BASE_DOMAIN, verifyingContract: THIRD_PARTY },
      { ...BASE_DOMAIN, chainId: 1 },
    ]) {
      expect(await judge({}, { domain })).toEqual({ ok: false, reason: 'invalid_exact_evm_signature' })
    }
  })

  test('error: refuses a good signature malleated to high s', async () => {
    expect(await judge({}, { signature: malleated(SIGNATURE) })).toEqual({
      ok: false,
      reason: 'invalid_exact_evm_signature',
    })
  })

  test.each([false, undefined])(
    'error: refuses a payer with code whose contract says %s, even if ECDSA matches',
    async (erc1271Valid) => {
      expect(await judge({ payerCode: DELEGATED, erc1271Valid })).toEqual({
        ok: false,
        reason: 'invalid_exact_evm_signature',
      })
    },
  )

  test('error: refuses a wallet that is not deployed', async () => {
    expect(await judge({}, { signature: WRAPPED })).toEqual({ ok: false, reason: 'eip6492_factory_not_allowed' })
    const v1 = await judge({}, { signature: WRAPPED, x402Version: 1 })
    expect(v1).toEqual({ ok: false, reason: 'invalid_exact_evm_payload_undeployed_smart_wallet' })
  })

  test.each([
    [{ assetDeployed: false }, 'asset_not_deployed_contract', 'asset_not_deployed_contract'],
    [
      { authorizationUsed: undefined },
      'invalid_exact_evm_eip3009_not_supported',
      'invalid_exact_evm_eip3009_not_supported',
    ],
    [{ authorizationUsed: true }, 'invalid_exact_evm_nonce_already_used', 'invalid_exact_evm_nonce_already_used'],
    [
      { authorizationUsed: true, balance: 0n },
      'invalid_exact_evm_nonce_already_used',
      'invalid_exact_evm_nonce_already_used',
    ],
    [{ tokenName: 'Fake' }, 'invalid_exact_evm_token_name_mismatch', 'invalid_exact_evm_token_name_mismatch'],
    [{ tokenVersion: '1' }, 'invalid_exact_evm_token_version_mismatch', 'invalid_exact_evm_token_version_mismatch'],
    [{ balance: 9_999n }, 'invalid_exact_evm_insufficient_balance', 'insufficient_funds'],
    [
      { simulated: false },
      'invalid_exact_evm_transaction_simulation_failed',
      'invalid_exact_evm_transaction_simulation_failed',
    ],
    [
      { balance: undefined },
      'invalid_exact_evm_transaction_simulation_failed',
      'invalid_exact_evm_transaction_simulation_failed',
    ],
  ] as const)('error: %o', async (facts, v2, v1) => {
    expect(await judge(facts)).toEqual({ ok: false, reason: v2 })
    expect(await judge(facts, { x402Version: 1 })).toEqual({ ok: false, reason: v1 })
  })
})
