import { recoverTypedDataAddress } from 'viem'
import { test } from 'vitest'
import { AUTHORIZATION, BASE_DOMAIN, SIGNATURE } from '../test/vectors.ts'
import { authorizationDigest } from './eip3009.ts'
import { recoverWithNative, recoverWithViem } from './secp256k1.ts'
import { recover } from './signature.ts'

const { from, to, nonce, value, validAfter, validBefore } = AUTHORIZATION

const TYPED = {
  types: {
    TransferWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  },
  primaryType: 'TransferWithAuthorization',
  domain: BASE_DOMAIN,
  message: { from, to, value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore), nonce },
} as const

/** One whole signature check, digest and recovery: ours by either way, and viem's own typed-data path. */
test('signature check', async ({ bench }) => {
  await bench.compare(
    bench('native secp256k1', async () => {
      await recover(authorizationDigest(BASE_DOMAIN, AUTHORIZATION), SIGNATURE, recoverWithNative)
    }),
    bench('viem recoverAddress over our digest', async () => {
      await recover(authorizationDigest(BASE_DOMAIN, AUTHORIZATION), SIGNATURE, recoverWithViem)
    }),
    bench('viem recoverTypedDataAddress', async () => {
      await recoverTypedDataAddress({ ...TYPED, signature: SIGNATURE })
    }),
  )
}, 60_000)
