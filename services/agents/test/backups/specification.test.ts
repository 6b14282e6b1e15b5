import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BackupEnvelope, Sealed } from '@callboard/contract'
import { deriveKeyPair, NotOurs, sealBase } from '@callboard/sealing'
import type { Address, Hex } from '@callboard/values'
import { hexToSignature, serializeSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import * as client from './reference-client.ts'

/** The test vectors of docs/backups.md, §8, with the document's names and texts. */
interface Vectors {
  readonly backupKey: Record<'origin' | 'ikm' | 'privateKey' | 'publicKey', string> & {
    readonly walletPrivateKey: Hex
    readonly owner: Address
    readonly signature: Hex
  }
  readonly envelope: BackupEnvelope & Record<'device' | 'info' | 'plaintext' | 'sha256', string>
  readonly relay: Sealed &
    client.Asked &
    Record<'ikm' | 'privateKey' | 'publicKey' | 'salt' | 'code' | 'link' | 'info' | 'aad' | 'plaintext', string>
}

const document = readFileSync(new URL('../../../../docs/backups.md', import.meta.url), 'utf8')
const { backupKey, envelope, relay } = JSON.parse(/```json\n([\s\S]+?)\n```/.exec(document)?.[1] ?? '') as Vectors

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const hex = (given: Uint8Array) => Buffer.from(given).toString('hex')
const base64url = (given: Uint8Array) => Buffer.from(given).toString('base64url')
const text = (given: Uint8Array) => new TextDecoder().decode(given)
const utf8 = (given: string) => new TextEncoder().encode(given)

const wallet = privateKeyToAccount(backupKey.walletPrivateKey)
const place = { owner: backupKey.owner, device: envelope.device }
const { purpose, device } = relay
const asked = { purpose, device }
const link: client.Link = { code: relay.code, salt: bytes(relay.salt) }
const keysOf = () => deriveKeyPair(bytes(backupKey.ikm))
const programKeys = () => deriveKeyPair(bytes(relay.ikm))

describe('the backup key', () => {
  test('has the document’s text, for the origin', () => {
    const shown = /```text\n([\s\S]+?)\n```/.exec(document)?.[1]
    expect(client.backupKeyText('{origin}')).toBe(shown)
  })

  test('is the document’s, from the wallet’s signature alone', async () => {
    expect(wallet.address).toBe(backupKey.owner)
    const message = client.backupKeyText(backupKey.origin)
    expect(await wallet.signMessage({ message })).toBe(backupKey.signature)
    expect(hex(client.ikmOf(backupKey.signature, backupKey.origin))).toBe(backupKey.ikm)
    const keys = await client.backupKeyOf(wallet, backupKey.origin)
    expect(hex(keys.privateKey)).toBe(backupKey.privateKey)
    expect(base64url(keys.publicKey)).toBe(backupKey.publicKey)
    expect(client.recipientOf(keys.publicKey)).toBe(envelope.recipient)
  })

  test('is the same however the wallet writes v, and different for another origin', () => {
    const { r, s, yParity } = hexToSignature(backupKey.signature)
    const other = `0x${backupKey.signature.slice(2, 130)}0${yParity}` as Hex
    expect(other).not.toBe(serializeSignature({ r, s, yParity }))
    expect(hex(client.ikmOf(other, backupKey.origin))).toBe(backupKey.ikm)
    expect(hex(client.ikmOf(other, 'https://other.example'))).not.toBe(backupKey.ikm)
  })

  test('is refused for a wallet that signs differently each time, for another wallet, or as a contract', async () => {
    const { origin, signature } = backupKey
    const message = client.backupKeyText(origin)
    const answers = [signature, await privateKeyToAccount(`0x${'0c'.repeat(32)}`).signMessage({ message })]
    const moody = { address: wallet.address, signMessage: async () => answers.shift() ?? signature }
    await expect(client.backupKeyOf(moody, origin)).rejects.toThrow('alike every time')
    const thirdParty = { address: backupKey.owner.replace('0xf', '0xe') as Address, signMessage: wallet.signMessage }
    await expect(client.backupKeyOf(thirdParty, origin)).rejects.toThrow('not the wallet’s own')
    expect(() => client.ikmOf(`${signature}00`, origin)).toThrow('contract')
    const highS = `${signature.slice(0, 66)}${'f'.repeat(64)}1b` as Hex
    expect(() => client.ikmOf(highS, origin)).toThrow('higher s')
  })
})

describe('the envelope', () => {
  test('is bound as the document says, and opens', async () => {
    const { info, aad } = client.envelopeBinding(place.owner, place.device)
    expect(hex(info)).toBe(envelope.info)
    expect(aad).toHaveLength(0)
    expect(text(await client.openEnvelope(await keysOf(), place, envelope))).toBe(envelope.plaintext)
    const ciphertext = Buffer.from(envelope.ciphertext, 'base64url')
    expect(createHash('sha256').update(ciphertext).digest('base64url')).toBe(envelope.sha256)
  })

  test('that is newly made fits the contract and opens alike', async () => {
    const keys = await keysOf()
    const made = await client.sealEnvelope(keys.publicKey, place, utf8(envelope.plaintext))
    expect(BackupEnvelope.parse(made)).toEqual(made)
    expect(made.ciphertext).not.toBe(envelope.ciphertext)
    expect(text(await client.openEnvelope(keys, place, made))).toBe(envelope.plaintext)
  })

  test('does not open for another owner, device or key', async () => {
    const keys = await keysOf()
    for (const other of [
      { ...place, device: 'desktop' },
      { ...place, owner: `0x${'1'.repeat(40)}` as const },
    ]) {
      await expect(client.openEnvelope(keys, other, envelope)).rejects.toBeInstanceOf(NotOurs)
    }
    await expect(client.openEnvelope(await programKeys(), place, envelope)).rejects.toThrow('another key')
  })

  test('has a plaintext of JSON, padded to a multiple of 1,024 bytes', () => {
    for (const agents of [0, 1, 20]) {
      const content = { version: 1, agents: Array.from({ length: agents }, () => ({ privateKey: 'a'.repeat(64) })) }
      const plaintext = client.plaintextOf(content)
      expect(plaintext.length % 1_024).toBe(0)
      expect(JSON.parse(text(plaintext))).toEqual(content)
    }
  })
})

describe('the relay', () => {
  test('has the document’s code, link and binding, and its result opens', async () => {
    const made = await client.newRelay(asked, bytes(relay.ikm), bytes(relay.salt))
    expect(hex(made.keys.privateKey)).toBe(relay.privateKey)
    expect(made.publicKey).toBe(relay.publicKey)
    expect(made.link).toEqual(link)
    expect(client.linkText(backupKey.origin, link)).toBe(relay.link)
    expect(client.readLink(relay.link)).toEqual(link)
    const { info, aad } = client.resultBinding(asked, link)
    expect([hex(info), hex(aad)]).toEqual([relay.info, relay.aad])
    expect(text(await client.openResult(made.keys, asked, link, relay))).toBe(relay.plaintext)
    expect(JSON.parse(relay.plaintext)).toEqual({ version: 1, publicKey: backupKey.publicKey })
  })

  test('a newly made result fits the contract and opens alike', async () => {
    const shown = { publicKey: relay.publicKey, claimed: asked }
    const made = await client.sealResult(shown, link, utf8(relay.plaintext))
    expect(Sealed.parse(made)).toEqual(made)
    expect(text(await client.openResult(await programKeys(), asked, link, made))).toBe(relay.plaintext)
  })

  test('a service that shows another key, purpose or device gets nothing sealed', async () => {
    for (const shown of [
      { publicKey: backupKey.publicKey, claimed: asked },
      { publicKey: relay.publicKey, claimed: { ...asked, purpose: 'restore' as const } },
      { publicKey: relay.publicKey, claimed: { ...asked, device: 'desktop' } },
    ]) {
      await expect(client.sealResult(shown, link, utf8('x'))).rejects.toThrow('not what the program asked')
    }
  })

  test('a service that answers itself is not believed, because it lacks the salt', async () => {
    const keys = await programKeys()
    const guessed = client.resultBinding(asked, { ...link, salt: new Uint8Array(16) })
    const { enc, ciphertext } = await sealBase(keys.publicKey, guessed, utf8('x'))
    const forged: Sealed = { version: 1, enc: base64url(enc), ciphertext: base64url(ciphertext) }
    await expect(client.openResult(keys, asked, link, forged)).rejects.toBeInstanceOf(NotOurs)
  })
})
