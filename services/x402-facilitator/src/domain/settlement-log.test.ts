import { AUTHORIZATION_USED_TOPIC } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { addressTopic, type ChainLog, paidAt, TRANSFER_TOPIC, usedAuthorizations } from './settlement-log.ts'

const asset = '0x3600000000000000000000000000000000000000'
const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const nonce = `0x${'ab'.repeat(32)}` as const
const movement = { asset, payer, payTo, amount: '10000', nonce } as const

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const used: ChainLog = {
  address: asset,
  topics: [AUTHORIZATION_USED_TOPIC, addressTopic(payer), nonce],
  data: '0x',
  logIndex: '0x4',
}
const moved = (change: Partial<{ address: string; from: typeof payer; to: string; value: bigint }> = {}): ChainLog => ({
  address: change.address ?? asset,
  topics: [TRANSFER_TOPIC, addressTopic(change.from ?? payer), addressTopic((change.to ?? payTo) as typeof payTo)],
  data: word(change.value ?? 10_000n),
  logIndex: '0x1f',
})

/** Another payer's use of the same nonce value. */
const other = { ...used, topics: [AUTHORIZATION_USED_TOPIC, addressTopic(payTo), nonce] }
const found = (logs: readonly ChainLog[]) => paidAt(usedAuthorizations(logs), movement)

describe('paidAt', () => {
  test('default: the nonce is used and the money moves, named by the index of the transfer', () =>
    expect(found([used, moved()])).toBe(31))

  test('behavior: the letter case of a node does not matter', () => {
    const upper = { ...used, address: asset.toUpperCase().replace('0X', '0x') }
    expect(found([upper, moved()])).toBe(31)
  })

  test('behavior: a native log of another emitter stands between the two', () => {
    const native = moved({ address: '0xfffffffffffffffffffffffffffffffffffffffe', value: 10n ** 16n })
    expect(found([used, native, moved()])).toBe(31)
  })

  test('behavior: it is found among the payments of a batch', () => {
    expect(found([other, moved({ value: 5n }), used, moved()])).toBe(31)
  })

  test.each([
    ['nothing was logged', []],
    ['the nonce is used and nothing moves', [used]],
    ['the money moves without the nonce', [moved()]],
    ['another payee is paid', [used, moved({ to: payer })]],
    ['one base unit less moves', [used, moved({ value: 9_999n })]],
    ['the token’s next log is another transfer', [used, moved({ value: 1n }), moved()]],
    ['the payment after it in the batch moves the same', [used, other, moved()]],
    ['another contract says so', [{ ...used, address: payTo }, moved({ address: payTo })]],
    ['the amount is no word', [used, { ...moved(), data: '0x' }]],
  ])('behavior: nothing when %s', (_what, logs) => expect(found(logs)).toBeUndefined())
})
