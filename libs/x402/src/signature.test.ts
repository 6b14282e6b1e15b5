import fc from 'fast-check'
import { bytesToHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { DIGEST, malleated, PAYER, SIGNATURE } from '../test/vectors.ts'
import { recoverWithNative, recoverWithViem } from './secp256k1.ts'
import { recover } from './signature.ts'

const ways = [
  ['native', recoverWithNative],
  ['viem', recoverWithViem],
] as const

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))

describe.each(ways)('recover by %s', (_, by) => {
  test('default: the published vector was signed by the payer', async () => {
    expect(await recover(DIGEST, SIGNATURE, by)).toEqual({ ok: true, address: PAYER })
  })

  test('behavior: the signer of any digest is found', async () => {
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
    'error: %.12s… of another length is refused',
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

test('behavior: the native binding is loaded where it is installed', () => {
  expect(recoverWithNative).toBeDefined()
})

test('behavior: both ways agree on every signature, sound or not', async () => {
  const signature = fc
    .tuple(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.constantFrom('1b', '1c'))
    .map(([bytes, v]): Hex => `${bytesToHex(bytes)}${v}`)
  await fc.assert(
    fc.asyncProperty(hash, signature, async (digest, text) => {
      expect(await recover(digest, text, recoverWithNative)).toEqual(await recover(digest, text, recoverWithViem))
    }),
  )
})
