import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Binding, deriveKeyPair, type KeyPair, type Message, openBase, sealBase } from './single-shot.ts'
import { NotOurs } from './suite.ts'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const hex = (given: Uint8Array) => Buffer.from(given).toString('hex')
const text = (given: string) => new TextEncoder().encode(given)
const binding: Binding = { info: text('info'), aad: text('aad') }

test('RFC 9180 A.1.1: derives the recipient’s key pair of the RFC', async () => {
  const pair = await deriveKeyPair(bytes('6db9df30aa07dd42ee5e8181afdb977e538f5e1fec8a06223f33f7013e525037'))
  expect(hex(pair.privateKey)).toBe('4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8')
  expect(hex(pair.publicKey)).toBe('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d')
})

describe('sealBase and openBase', async () => {
  const keys = await deriveKeyPair(randomBytes(32))
  const sealed = await sealBase(keys.publicKey, binding, text('plain'))

  test('default: the holder of the key reads the message, and sealing twice never gives the same bytes', async () => {
    expect(await openBase(keys, binding, sealed)).toEqual(text('plain'))
    const again = await sealBase(keys.publicKey, binding, text('plain'))
    expect(again.enc).not.toEqual(sealed.enc)
    expect(again.ciphertext).not.toEqual(sealed.ciphertext)
  })

  test('behavior: the ciphertext is 16 bytes longer than the text, and the encapsulated key has 32 bytes', () => {
    expect(sealed.ciphertext).toHaveLength('plain'.length + 16)
    expect(sealed.enc).toHaveLength(32)
  })

  test.each<[string, { keys?: KeyPair; binding?: Binding; message?: Message }]>([
    ['another key', { keys: await deriveKeyPair(randomBytes(32)) }],
    ['another info', { binding: { ...binding, info: text('else') } }],
    ['another aad', { binding: { ...binding, aad: new Uint8Array() } }],
    ['another encapsulated key', { message: { ...sealed, enc: keys.publicKey } }],
    ['a cut ciphertext', { message: { ...sealed, ciphertext: sealed.ciphertext.slice(0, -1) } }],
    ['an encapsulated key of 31 bytes', { message: { ...sealed, enc: sealed.enc.slice(1) } }],
    ['the zero key', { message: { ...sealed, enc: new Uint8Array(32) } }],
  ])('error: a sealed message does not open with %s', async (_what, given) => {
    const opened = openBase(given.keys ?? keys, given.binding ?? binding, given.message ?? sealed)
    await expect(opened).rejects.toBeInstanceOf(NotOurs)
  })

  test('error: nothing is sealed to the zero key', async () => {
    await expect(sealBase(new Uint8Array(32), binding, text('plain'))).rejects.toThrow()
  })
})
