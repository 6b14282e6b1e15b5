import { toEventSelector } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import {
  AUTHORIZATION_CANCELED_TOPIC,
  addressTopic,
  type ChainLog,
  paidAt,
  TRANSFER_TOPIC,
  usedAuthorizations,
} from './settlement-log.ts'

const USED = toEventSelector('AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')
const CANCELED = toEventSelector('AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)')
const TRANSFER = toEventSelector('Transfer(address indexed from, address indexed to, uint256 value)')
const APPROVAL = toEventSelector('Approval(address indexed owner, address indexed spender, uint256 value)')

const asset = '0x3600000000000000000000000000000000000000'
const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const nonce = `0x${'ab'.repeat(32)}` as const
const movement = { asset, payer, payTo, amount: '10000', nonce } as const

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const used: ChainLog = {
  address: asset,
  topics: [USED, addressTopic(payer), nonce],
  data: '0x',
  logIndex: '0x4',
}
const moved = (change: Partial<{ address: string; from: typeof payer; to: string; value: bigint }> = {}): ChainLog => ({
  address: change.address ?? asset,
  topics: [TRANSFER, addressTopic(change.from ?? payer), addressTopic((change.to ?? payTo) as typeof payTo)],
  data: word(change.value ?? 10_000n),
  logIndex: '0x1f',
})

/** Another payer's use of the same nonce. */
const other = { ...used, topics: [USED, addressTopic(payTo), nonce] }
const found = (logs: readonly ChainLog[]) => paidAt(usedAuthorizations(logs), movement)

test('the topics are those of the standards’ events', () => {
  expect(TRANSFER_TOPIC).toBe(TRANSFER)
  expect(AUTHORIZATION_CANCELED_TOPIC).toBe(CANCELED)
})

test('addressTopic: writes an address as a log does, as one word in lower case', () => {
  expect(addressTopic(payer)).toBe('0x00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8')
})

describe('usedAuthorizations', () => {
  test('default: pairs each use with the next log of its token', () => {
    const key = `${asset}/${addressTopic(payer)}/${nonce}`
    expect(usedAuthorizations([used, moved()])).toEqual(new Map([[key, moved()]]))
    expect(usedAuthorizations([used])).toEqual(new Map([[key, undefined]]))
  })

  test('behavior: ignores a log without authorizer or nonce, or without any topic', () => {
    const odd = [[USED], [USED, addressTopic(payer)], [USED, '', nonce], []].map((topics) => ({ ...used, topics }))
    expect(usedAuthorizations(odd)).toEqual(new Map())
  })
})

describe('paidAt', () => {
  test('default: the nonce is used and the money moves, identified by the log index of the transfer', () =>
    expect(found([used, moved()])).toBe(31))

  test('behavior: ignores the letter case that a node uses', () => {
    const upper = { ...used, address: asset.toUpperCase().replace('0X', '0x') }
    expect(found([upper, moved()])).toBe(31)
    const loud = (log: ChainLog) => ({ ...log, topics: log.topics.map((topic) => `0x${topic.slice(2).toUpperCase()}`) })
    expect(found([loud(used), { ...loud(moved()), data: `0x${'0'.repeat(60)}2710` }])).toBe(31)
    expect(paidAt(usedAuthorizations([used, moved({ value: 0xabcdn })]), { ...movement, amount: '43981' })).toBe(31)
  })

  test('behavior: allows a native log of another emitter between the two', () => {
    const native = moved({ address: '0xfffffffffffffffffffffffffffffffffffffffe', value: 10n ** 16n })
    expect(found([used, native, moved()])).toBe(31)
  })

  test('behavior: finds the payment among those of a batch', () => {
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
    ['another payer pays the same to the same payee', [used, moved({ from: asset as typeof payer })]],
    [
      'the nonce is cancelled, and then the right money moves',
      [{ ...used, topics: [CANCELED, addressTopic(payer), nonce] }, moved()],
    ],
    [
      'the token’s next log is an approval of the same amount',
      [used, { ...moved(), topics: [APPROVAL, addressTopic(payer), addressTopic(payTo)] }],
    ],
    ['the amount is no word', [used, { ...moved(), data: '0x' }]],
    ['the amount is longer than a word', [used, { ...moved(), data: `0x00${word(10_000n).slice(2)}` }]],
    ['the amount is a word behind something', [used, { ...moved(), data: ` ${word(10_000n)}` }]],
  ])('behavior: nothing when %s', (_what, logs) => expect(found(logs)).toBeUndefined())
})
