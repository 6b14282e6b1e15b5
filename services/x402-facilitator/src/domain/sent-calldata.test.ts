import type { Address, Hex } from '@callboard/values'
import { type ExactTransfer, transferCalldataBytes, transferCalldataVrs } from '@callboard/x402'
import { concat } from 'viem'
import { expect, test } from 'vitest'
import { batchCalldata } from '../chain/batch-call.ts'
import { transfersIn } from './sent-calldata.ts'

const TOKEN: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const BATCH: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const SUFFIX: Hex = '0x0102030405'

const transfer = (last: string, signature: Hex): ExactTransfer => ({
  ...{ x402Version: 2, network: 'eip155:84532', asset: TOKEN, payTo: BATCH, amount: '1000', signature },
  domain: { name: 'USDC', version: '2', chainId: 84_532, verifyingContract: TOKEN },
  authorization: {
    from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    ...{ value: '1000', validAfter: '0', validBefore: '1790000000' },
    nonce: `0x${last.padStart(64, 'a')}`,
  },
})

const VRS: Hex = `0x${'11'.repeat(32)}${'22'.repeat(32)}1b`
const LONG: Hex = `0x${'33'.repeat(70)}`
const seen = ({ asset, authorization, signature }: ExactTransfer) => ({ asset, authorization, signature })

test('default: a plain transfer is read as it was written, with a suffix behind it', () => {
  const one = transfer('1', VRS)
  const data = concat([transferCalldataVrs(one.authorization, one.signature), SUFFIX])
  expect(transfersIn(TOKEN, data, undefined)).toEqual([seen(one)])
})

test('behavior: a signature of another length is read whole', () => {
  const one = transfer('2', LONG)
  const data = concat([transferCalldataBytes(one.authorization, one.signature), SUFFIX])
  expect(transfersIn(TOKEN, data, BATCH)).toEqual([seen(one)])
})

test('behavior: a last byte with one significant digit stays a byte', () => {
  const one = transfer('5', `${VRS.slice(0, -2) as Hex}01`)
  expect(transfersIn(TOKEN, transferCalldataVrs(one.authorization, one.signature), undefined)).toEqual([seen(one)])
})

test('behavior: a batch is read as its transfers, in their order', () => {
  const legs = [transfer('3', VRS), transfer('4', VRS)]
  expect(transfersIn(BATCH, batchCalldata(TOKEN, 100_000n, legs, SUFFIX), BATCH)).toEqual(legs.map(seen))
})

test('behavior: any other call of a signing account is not a settlement', () => {
  expect(transfersIn(TOKEN, '0x', BATCH)).toEqual([])
  expect(transfersIn(TOKEN, '0xa9059cbb', undefined)).toEqual([])
  for (const data of ['0x', '0xa9059cbb'] as const) expect(transfersIn(BATCH, data, BATCH)).toEqual([])
  const settle = batchCalldata(TOKEN, 100_000n, [transfer('6', VRS)], SUFFIX)
  expect([transfersIn(TOKEN, settle, BATCH), transfersIn(BATCH, settle, undefined)]).toEqual([[], []])
})

test('behavior: the batch contract is recognized in any letter case', () => {
  const one = transfer('7', VRS)
  const to = BATCH.toLowerCase() as Address
  expect(transfersIn(to, batchCalldata(TOKEN, 100_000n, [one], SUFFIX), BATCH)).toEqual([seen(one)])
})
