import fc from 'fast-check'
import { bytesToHex, type Hex, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { DIGEST, malleated, PAYER, SIGNATURE } from '../../test/vectors.ts'
import {
  recoverSigner,
  recoverWithNative,
  recoverWithViem,
  signDigest,
  signWithNative,
  signWithViem,
} from './secp256k1.ts'
import { recover, signatureFault } from './signature.ts'

const ways = [
  ['native', recoverWithNative],
  ['viem', recoverWithViem],
] as const

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))

describe.each(ways)('recover by %s', (_, by) => {
  test('default: recovers the payer from the published vector', async () => {
    expect(await recover(DIGEST, SIGNATURE, by)).toEqual({ ok: true, address: PAYER })
  })

  test('behavior: recovers the signer of any digest', async () => {
    const key = hash.filter((hex) => BigInt(hex) > 0n && BigInt(hex) < 2n ** 255n)
    await fc.assert(
      fc.asyncProperty(key, hash, async (privateKey, digest) => {
        const account = privateKeyToAccount(privateKey)
        expect(await recover(digest, await account.sign({ hash: digest }), by)).toEqual({
          ok: true,
          address: account.address,
        })
      }),
      { numRuns: 20 },
    )
  })

  test('error: a malleated high-s signature is refused, though the curve accepts it', async () => {
    const altered = malleated(SIGNATURE)
    expect(await by?.(DIGEST, altered)).toBe(PAYER)
    expect(await recover(DIGEST, altered, by)).toEqual({ ok: false, reason: 'high_s' })
  })

  test.each(['00', '01', '1a', '1d', 'ff'])('error: v %s is refused', async (v) => {
    expect(await recover(DIGEST, `${SIGNATURE.slice(0, -2)}${v}` as Hex, by)).toEqual({
      ok: false,
      reason: 'v_not_27_or_28',
    })
  })

  test.each([SIGNATURE.slice(0, -2), `${SIGNATURE}00`, '0x', SIGNATURE.slice(0, -4)])(
    'error: %.12s… is refused for its length',
    async (text) => {
      expect(await recover(DIGEST, text as Hex, by)).toEqual({ ok: false, reason: 'not_65_bytes' })
    },
  )

  test.each([
    ['zero', `0x${'00'.repeat(64)}1b`],
    ['r beyond the order', `0x${'ff'.repeat(32)}${'11'.repeat(32)}1b`],
  ])('error: a signature of %s recovers no signer', async (_, text) => {
    expect(await recover(DIGEST, text as Hex, by)).toEqual({ ok: false, reason: 'no_signer' })
  })
})

describe('signatureFault', () => {
  const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'
  const withS = (s: string, v = '1b') => `0x${'11'.repeat(32)}${s}${v}` as Hex

  test.each([
    ['half the order', HALF_ORDER, undefined],
    ['half the order, in capitals', HALF_ORDER.toUpperCase(), undefined],
    ['one more', `${HALF_ORDER.slice(0, -1)}1`, 'high_s'],
    ['the order less one', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140', 'high_s'],
    ['the same half of the bits, and more', `7${'f'.repeat(63)}`, 'high_s'],
    ['that in capitals', `7${'F'.repeat(63)}`, 'high_s'],
  ])('behavior: judges an s of %s', (_, s, fault) => {
    expect(signatureFault(withS(s))).toBe(fault)
  })

  test.each(['1b', '1c', '1B', '1C'])('default: v %s is accepted', (v) => {
    expect(signatureFault(withS('11'.repeat(32), v))).toBeUndefined()
  })

  test.each([`0${SIGNATURE}`, `${SIGNATURE}\n`, SIGNATURE.replace('2f2ea3', '2f2eg3'), SIGNATURE.replace('0x', '0X')])(
    'error: %.12s… is not 65 bytes in hex',
    (text) => {
      expect(signatureFault(text as Hex)).toBe('not_65_bytes')
    },
  )
})

test('behavior: the native binding is loaded where it is installed, and recovers signers', () => {
  expect(recoverWithNative).toBeDefined()
  expect(recoverSigner).toBe(recoverWithNative)
})

test('behavior: both implementations agree on every signature, sound or not', async () => {
  const signature = fc
    .tuple(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.constantFrom('1b', '1c'))
    .map(([bytes, v]): Hex => `${bytesToHex(bytes)}${v}`)
  await fc.assert(
    fc.asyncProperty(hash, signature, async (digest, text) => {
      expect(await recover(digest, text, recoverWithNative)).toEqual(await recover(digest, text, recoverWithViem))
    }),
  )
})

describe.each([
  ['native', signWithNative],
  ['viem', signWithViem],
] as const)('sign by %s', (_, by) => {
  const key = hash.filter((hex) => BigInt(hex) > 0n && BigInt(hex) < 2n ** 255n)

  test('default: every digest gets the signature that viem gives it', async () => {
    await fc.assert(
      fc.asyncProperty(key, hash, async (privateKey, digest) => {
        const { r, s, yParity } = (await by?.(digest, privateKey)) ?? {}
        const expected = parseSignature(await privateKeyToAccount(privateKey).sign({ hash: digest }))
        expect({ r, s, yParity }).toEqual({
          ...{ r: BigInt(expected.r), s: BigInt(expected.s), yParity: expected.yParity },
        })
      }),
      { numRuns: 40 },
    )
  })

  test.each(['00', 'ff'])('error: a key of 32 bytes %s signs nothing', async (byte) => {
    await expect(by?.(DIGEST, `0x${byte.repeat(32)}`)).rejects.toThrow()
  })
})

test('behavior: the native implementation signs where there is one', () => {
  expect(signDigest).toBe(signWithNative)
})
