import { devnetChain } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { keccak256, parseTransaction, recoverTransactionAddress, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { KeyRing } from '../signers/key-ring.ts'
import { localSigner } from '../signers/local.ts'
import { type LaneCall, signCall } from './signing.ts'

const key = generatePrivateKey()
const account = privateKeyToAccount(key)
const SIGNERS = [localSigner(key, false)]
const keys = new KeyRing(() => SIGNERS, { timeoutMs: 1_000, signed: () => {} })
const to: Address = '0x00000000000000000000000000000000000000AA'
const chain = devnetChain({ usdc: to, splitterFactory: to })

const call: LaneCall = {
  ...{ chain, lane: account.address, chainNonce: 7, to, data: '0xa9059cbb' },
  ...{ gas: 200_000n, maxFeePerGas: 3_000_000_007n, maxPriorityFeePerGas: 1n },
}

const byViem = ({ chain: { chainId }, chainNonce: nonce, lane: _, ...rest }: LaneCall): Promise<Hex> =>
  account.signTransaction({ type: 'eip1559', chainId, nonce, ...rest })

describe('signCall', () => {
  test.each<[string, Partial<LaneCall>]>([
    ['default', {}],
    [
      'behavior: the first chain nonce and no tip are empty, not a zero byte',
      { chainNonce: 0, maxPriorityFeePerGas: 0n },
    ],
    ['behavior: no calldata', { data: '0x' }],
    ['behavior: one small byte stands for itself', { data: '0x01' }],
    ['behavior: one large byte', { data: '0x80' }],
    ['behavior: a batch', { data: toHex(new Uint8Array(29_000).fill(171)), gas: 15_000_000n }],
  ])('%s: the same bytes that viem signs', async (_, part) => {
    const signed = await signCall(keys, { ...call, ...part })
    expect(signed.raw).toBe(await byViem({ ...call, ...part }))
    expect(signed.hash).toBe(keccak256(signed.raw))
  })

  test('behavior: signs the same over many signatures, whose r and s may have leading zeros', async () => {
    for (let chainNonce = 0; chainNonce < 300; chainNonce++) {
      const { raw } = await signCall(keys, { ...call, chainNonce })
      expect(raw).toBe(await byViem({ ...call, chainNonce }))
    }
  })

  test('behavior: the lane is the sender of the transaction', async () => {
    const { raw } = await signCall(keys, call)
    const serializedTransaction = raw as `0x02${string}`
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(account.address)
    expect(parseTransaction(serializedTransaction)).toMatchObject({ nonce: 7, gas: 200_000n, data: '0xa9059cbb' })
  })

  test('error: an account whose key we do not hold', async () => {
    await expect(signCall(keys, { ...call, lane: to })).rejects.toThrow('is not among FACILITATOR_KEYS')
  })
})
