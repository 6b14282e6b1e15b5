import { type Hex, isoTime } from '@callboard/values'
import {
  hashMessage,
  parseSignature,
  serializeCompactSignature,
  serializeSignature,
  signatureToCompactSignature,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, test, vi } from 'vitest'
import { checkSiwe, type SiweCheck, type VerifyContractSignature } from './check.ts'
import { type SiweFields, siweMessage } from './message.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const account = mnemonicToAccount(MNEMONIC, { addressIndex: 1 })
const thirdParty = mnemonicToAccount(MNEMONIC, { addressIndex: 2 })
const NOW = Date.UTC(2026, 10, 21, 12)
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const expectation = {
  domain: 'localhost:4021',
  uri: 'http://localhost:4021',
  statement: 'Link this wallet to a service account as an agent.',
  chainIds: [8453, 5042],
}
const fields: SiweFields = {
  domain: expectation.domain,
  address: account.address,
  statement: expectation.statement,
  uri: expectation.uri,
  chainId: 8453,
  nonce: 'k7fJ2mQ9xT4bV8nZ1cR6',
  issuedAt: isoTime(NOW),
}

async function signed(changes: Partial<SiweFields> = {}, more: Partial<SiweCheck> = {}, signer = account) {
  const message = siweMessage({ ...fields, ...changes })
  return checkSiwe({
    message,
    signature: await signer.signMessage({ message }),
    expect: expectation,
    now: NOW,
    ...more,
  })
}

describe('a message with the expected content', () => {
  test('signs its account in and returns the nonce to consume', async () => {
    expect(await signed()).toEqual({
      ...{ ok: true, address: account.address, nonce: fields.nonce, chainId: 8453 },
      provedBy: 'key',
    })
  })

  test.each([
    ['a trailing slash on the URI', { uri: `${fields.uri}/` }],
    ['the scheme of the site', { scheme: 'http' }],
    ['resources and a request id, which bind nothing', { resources: ['https://example.com/'], requestId: '7' }],
    ['60 seconds ahead of our clock', { issuedAt: isoTime(NOW + 60_000) }],
    ['10 minutes old', { issuedAt: isoTime(NOW - 600_000) }],
    ['one millisecond before it expires', { expirationTime: isoTime(NOW + 1) }],
    ['the very moment it begins', { notBefore: isoTime(NOW) }],
  ] as const)('is accepted with %s', async (_what, changes) => {
    expect(await signed(changes)).toMatchObject({ ok: true })
  })

  test('is accepted with the address in lower case, because the signature is over the text as sent', async () => {
    const message = siweMessage(fields).replace(account.address, account.address.toLowerCase())
    const signature = await account.signMessage({ message })
    const result = await checkSiwe({ message, signature, expect: expectation, now: NOW })
    expect(result).toMatchObject({ ok: true, address: account.address })
  })
})

describe('a message with other content is refused with the reason', () => {
  test.each([
    ['scheme_mismatch', { scheme: 'https' }],
    ['domain_mismatch', { domain: 'evil.example' }],
    ['domain_mismatch', { domain: 'localhost' }],
    ['domain_mismatch', { domain: 'localhost:4021@evil.example' }],
    ['uri_mismatch', { uri: 'http://localhost:4021/login' }],
    ['uri_mismatch', { uri: 'http://localhost:4021//' }],
    ['statement_mismatch', { statement: 'Sign in.' }],
    ['chain_not_allowed', { chainId: 1 }],
    ['issued_in_the_future', { issuedAt: isoTime(NOW + 60_001) }],
    ['issued_too_long_ago', { issuedAt: isoTime(NOW - 600_001) }],
    ['expired', { expirationTime: isoTime(NOW) }],
    ['not_yet_valid', { notBefore: isoTime(NOW + 1) }],
  ] as const)('%s: %o', async (reason, changes) => {
    expect(await signed(changes)).toEqual({ ok: false, reason })
  })

  test('statement_mismatch: no statement at all', async () => {
    const { statement: _, ...rest } = fields
    const message = siweMessage(rest)
    const signature = await account.signMessage({ message })
    expect(await checkSiwe({ message, signature, expect: expectation, now: NOW })).toEqual({
      ok: false,
      reason: 'statement_mismatch',
    })
  })

  test('domain_mismatch: userinfo, even where the expected domain has it', async () => {
    const domain = 'user@localhost:4021'
    expect(await signed({ domain }, { expect: { ...expectation, domain } })).toEqual({
      ok: false,
      reason: 'domain_mismatch',
    })
  })

  test('nonce_mismatch: a nonce other than the expected one', async () => {
    expect(await signed({}, { expect: { ...expectation, nonce: 'k7fJ2mQ9xT4bV8nZ1cR7' } })).toEqual({
      ok: false,
      reason: 'nonce_mismatch',
    })
  })

  test('too_long: refused before anything is parsed', async () => {
    expect(await signed({}, { message: 'a'.repeat(2049) })).toEqual({ ok: false, reason: 'too_long' })
  })

  test('malformed: text outside the grammar', async () => {
    expect(await signed({}, { message: 'hello' })).toEqual({ ok: false, reason: 'malformed' })
  })
})

describe('bad_signature', () => {
  const bad = { ok: false, reason: 'bad_signature' }

  test('a third party signed', async () => {
    expect(await signed({}, {}, thirdParty)).toEqual(bad)
  })

  test('the text was changed after signing', async () => {
    const signature = await account.signMessage({ message: siweMessage(fields) })
    expect(await signed({ nonce: 'k7fJ2mQ9xT4bV8nZ1cR7' }, { signature })).toEqual(bad)
  })

  test.each(['', '0x', 'not hex', '0x123', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, `0x${'11'.repeat(64)}`])(
    'bytes that are no signature: %j',
    async (signature) => {
      expect(await signed({}, { signature })).toEqual(bad)
    },
  )

  test('a contract signature beyond 8 KiB is not sent to a node', async () => {
    const verifyContractSignature = vi.fn<VerifyContractSignature>()
    expect(await signed({}, { signature: `0x${'11'.repeat(8193)}`, verifyContractSignature })).toEqual(bad)
    expect(verifyContractSignature).not.toHaveBeenCalled()
  })
})

describe('a compact signature (EIP-2098)', () => {
  const compact = async (changes: Partial<SiweFields> = {}) => {
    const message = siweMessage({ ...fields, ...changes })
    return { message, signature: parseSignature(await account.signMessage({ message })) }
  }

  test('is accepted with either parity and in either letter case', async () => {
    const parities = new Set<number>()
    for (let n = 0; parities.size < 2; n += 1) {
      const { message, signature } = await compact({ nonce: `k7fJ2mQ9xT4bV8nZ1cR${n}` })
      parities.add(signature.yParity)
      const short = serializeCompactSignature(signatureToCompactSignature(signature))
      for (const given of [short, `0x${short.slice(2).toUpperCase()}`]) {
        const result = await checkSiwe({ message, signature: given, expect: expectation, now: NOW })
        expect(result).toMatchObject({ ok: true, provedBy: 'key' })
      }
    }
  })

  test('bad_signature: s in the upper half is refused', async () => {
    const { message, signature } = await compact()
    // The highest bit is read as the parity, so only an s below 2^255 can be encoded at all.
    const s = (ORDER - BigInt(signature.s)) & ((1n << 255n) - 1n)
    const given = `${signature.r}${s.toString(16).padStart(64, '0')}`
    expect(await checkSiwe({ message, signature: given, expect: expectation, now: NOW })).toEqual({
      ok: false,
      reason: 'bad_signature',
    })
  })
})

describe('a contract wallet', () => {
  const signature: Hex = `0x${'ab'.repeat(96)}`

  test('is asked on the chain of the message, with the hash of the text', async () => {
    const verifyContractSignature = vi.fn<VerifyContractSignature>().mockResolvedValue(true)
    expect(await signed({ chainId: 5042 }, { signature, verifyContractSignature })).toMatchObject({
      ok: true,
      provedBy: 'contract',
    })
    expect(verifyContractSignature).toHaveBeenCalledExactlyOnceWith({
      chainId: 5042,
      address: account.address,
      hash: hashMessage(siweMessage({ ...fields, chainId: 5042 })),
      signature,
    })
  })

  test('is asked only once the content is right, and not when a key signed', async () => {
    const verifyContractSignature = vi.fn<VerifyContractSignature>()
    await signed({ domain: 'evil.example' }, { signature, verifyContractSignature })
    await signed({}, { verifyContractSignature })
    expect(verifyContractSignature).not.toHaveBeenCalled()
  })

  test.each(['0x', '0xab', `0x${'ab'.repeat(8192)}`] as const)(
    'can accept a signature of any length',
    async (bytes) => {
      const verifyContractSignature = vi.fn<VerifyContractSignature>().mockResolvedValue(true)
      expect(await signed({}, { signature: bytes, verifyContractSignature })).toMatchObject({ provedBy: 'contract' })
      expect(verifyContractSignature.mock.calls[0]?.[0]).toMatchObject({ signature: bytes })
    },
  )

  test('that says no is a bad signature', async () => {
    const result = await signed({}, { signature, verifyContractSignature: async () => false })
    expect(result).toEqual({ ok: false, reason: 'bad_signature' })
  })

  test('whose chain is unavailable is an error, never a bad signature', async () => {
    const verifyContractSignature = () => Promise.reject(new Error('node is down'))
    await expect(signed({}, { signature, verifyContractSignature })).rejects.toThrow('node is down')
  })
})

test('a message has several valid signatures, so only the nonce prevents replay', async () => {
  const message = siweMessage(fields)
  const { r, s, yParity } = parseSignature(await account.signMessage({ message }))
  const highS = ORDER - BigInt(s)
  const malleated = serializeSignature({ r, s: `0x${highS.toString(16).padStart(64, '0')}`, yParity: 1 - yParity })
  expect(await signed({}, { signature: malleated })).toMatchObject({ ok: true, nonce: fields.nonce })
})
