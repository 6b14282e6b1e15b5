import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Receipt, ReceiptKeys } from './receipt-chain.ts'
import { verifyReceipts } from './verify-receipts.ts'

const KID = 'one'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const { x = '' } = publicKey.export({ format: 'jwk' })
const KEYS: ReceiptKeys = { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: KID, use: 'sig', alg: 'EdDSA' }] }

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function jwsOf(receipt: object, head: object = {}, key: KeyObject = privateKey): string {
  const signed = `${base64url({ alg: 'EdDSA', typ: 'callboard-receipt+jws', kid: KID, ...head })}.${base64url(receipt)}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

/** A chain of `count` receipts of a key; every third is estimated. */
function chainOf(key: string, count: number, from = 1): Receipt[] {
  const chain: Receipt[] = []
  for (let seq = 1; seq < from + count; seq++) {
    const before = chain.at(-1)
    chain.push({
      ...{
        id: `${key}-${seq}`,
        key,
        model: 'small',
        upstream: 'sample',
        surface: 'chat',
        source: 'balance',
        usage: null,
      },
      ...{
        estimated: seq % 3 === 0,
        ending: 'completed',
        priceVersion: '1',
        heldUsd: '0.01',
        amountUsd: '0.000000001',
      },
      ...{ currency: 'USD', createdAt: '2026-11-23T12:00:00Z', settledAt: '2026-11-23T12:00:01Z', seq },
      previous: before ? createHash('sha256').update(JSON.stringify(before)).digest('hex') : null,
    })
  }
  return chain.slice(from - 1)
}
const lines = (receipts: readonly Receipt[]) => receipts.map((receipt) => jwsOf(receipt))

test('interleaved receipts of two keys are counted and summed, including the estimated amount', async () => {
  const [one, two] = [chainOf('a', 31), chainOf('b', 31, 4)]
  const mixed = one.flatMap((receipt, at) => lines([receipt, two[at] as Receipt]))
  const checked = await verifyReceipts([...mixed, '', '  '], KEYS)
  expect(checked).toMatchObject({ count: 62, totalUsd: '0.000000062', estimatedUsd: '0.00000002' })
  expect(checked.broken).toBeUndefined()
  expect(checked.chains.map(({ key, first, last }) => [key, first.seq, last.seq])).toEqual([
    ['a', 1, 31],
    ['b', 4, 34],
  ])
})

const good = chainOf('a', 5)
const [first, second, third, ...rest] = good as [Receipt, Receipt, Receipt, ...Receipt[]]
const tampered = (jws: string) => {
  const [head, payload = '', signature] = jws.split('.')
  const text = Buffer.from(payload, 'base64url').toString().replace('0.000000001', '0.000000002')
  return `${head}.${Buffer.from(text).toString('base64url')}.${signature}`
}
const other = generateKeyPairSync('ed25519')

test.each([
  ['one that is missing', lines([first, second, ...rest]), 3, 'is number 4 after number 2'],
  ['one that comes twice', lines([first, second, second]), 3, 'is number 2 after number 2'],
  ['two in the wrong order', lines([second, first]), 2, 'is number 1 after number 2'],
  ['one whose amount was changed', [jwsOf(first), tampered(jwsOf(second))], 2, 'does not match its signature'],
  ['one that was signed anew after a change', lines([first, { ...second, amountUsd: '9' }, third]), 3, 'does not name'],
  ['one whose past was left out', lines([{ ...first, seq: 2 }]), 1, 'is number 2 and names null'],
  ['one of another signer', [jwsOf(first, {}, other.privateKey)], 1, 'does not match its signature'],
  ['one of an unknown key', [jwsOf(first, { kid: 'two' })], 1, 'a key that is not the Router’s, two'],
  ['one of another algorithm', [jwsOf(first, { alg: 'none' })], 1, 'but not as a receipt'],
  ['a signature of something else', [jwsOf(first, { typ: 'JWT' })], 1, 'but not as a receipt'],
  ['what names extensions that are not known', [jwsOf(first, { crit: ['exp'] })], 1, 'but not as a receipt'],
  ['what says nothing of a call', [jwsOf({ id: 'x' })], 1, 'does not describe a call'],
  ['no JWS', [jwsOf(first), 'no receipt'], 2, 'is not a compact JWS'],
])('the first broken line is named: %s', async (_what, given, line, reason) => {
  const { broken, count } = await verifyReceipts(given, KEYS)
  expect(broken).toEqual({ line, reason: expect.stringContaining(reason) })
  expect(count).toBe(line - 1)
})

test('all receipts of a key begin with its first one, and none is of another key', async () => {
  const whole = { isWhole: true }
  const [own, foreign] = [lines(chainOf('a', 5)), lines(chainOf('b', 2))]
  expect(await verifyReceipts(own, KEYS, whole)).toMatchObject({ count: 5 })
  expect((await verifyReceipts(own, KEYS, whole)).broken).toBeUndefined()
  expect((await verifyReceipts(own.slice(2), KEYS, whole)).broken).toEqual({
    ...{ line: 1, reason: 'is number 3, and the ones before it are missing' },
  })
  expect((await verifyReceipts([...own, ...foreign], KEYS, whole)).broken).toEqual({
    ...{ line: 6, reason: 'is of the key b, after receipts of a' },
  })
})

test('a key that is not known yet is asked for once', async () => {
  const { x: newer = '' } = other.publicKey.export({ format: 'jwk' })
  const rotated: ReceiptKeys = { keys: [{ ...KEYS.keys[0], kid: 'two', x: newer } as ReceiptKeys['keys'][number]] }
  let asked = 0
  const newKeys = async () => {
    asked += 1
    return rotated
  }
  const given = [jwsOf(first), ...[second, third].map((receipt) => jwsOf(receipt, { kid: 'two' }, other.privateKey))]
  expect(await verifyReceipts(given, KEYS, { newKeys })).toMatchObject({ count: 3 })
  expect(asked).toBe(1)
  const unknown = given.map((_, at) => jwsOf(good[at] as Receipt, { kid: 'three' }))
  expect(await verifyReceipts(unknown, KEYS, { newKeys })).toMatchObject({
    ...{ count: 0, broken: { line: 1, reason: 'is signed with a key that is not the Router’s, three' } },
  })
  expect(asked).toBe(2)
  expect((await verifyReceipts([tampered(jwsOf(first))], KEYS, { newKeys })).broken).toBeDefined()
  expect(asked).toBe(2)
})
