import { EIP3009_TYPES } from '@callboard/testkit/eip3009-types'
import { recoverTypedDataAddress } from 'viem'
import { authorizationDigest } from '../../../libs/x402/src/authorization/eip3009.ts'
import { recoverWithNative } from '../../../libs/x402/src/authorization/secp256k1.ts'
import { recover } from '../../../libs/x402/src/authorization/signature.ts'
import { AUTHORIZATION, BASE_DOMAIN, SIGNATURE } from '../../../libs/x402/test/vectors.ts'
import { alternating } from '../alternating.ts'
import type { Figure } from '../figure.ts'

const { from, to, nonce, value, validAfter, validBefore } = AUTHORIZATION

const TYPED = {
  types: EIP3009_TYPES,
  primaryType: 'TransferWithAuthorization',
  domain: BASE_DOMAIN,
  message: { from, to, value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore), nonce },
} as const

export const figure: Figure = {
  title: 'Signature check of a payment',
  method:
    'The check is one EIP-712 digest of an EIP-3009 authorization and the recovery of its signer, in turns of 400 ms in one process. The peer is viem’s `recoverTypedDataAddress`, which the reference facilitator calls.',
  async run() {
    const { ours, viem } = await alternating({
      ours: () => recover(authorizationDigest(BASE_DOMAIN, AUTHORIZATION), SIGNATURE, recoverWithNative),
      viem: () => recoverTypedDataAddress({ ...TYPED, signature: SIGNATURE }),
    })
    return {
      versions: { viem: '2.57.1' },
      comparisons: [
        {
          what: 'checks one after the other',
          unit: '/s',
          better: 'more',
          ours: ours.perSecond,
          peer: { name: 'viem', value: viem.perSecond },
          target: { ratio: 15 },
        },
        {
          what: 'CPU of a check',
          unit: 'µs',
          better: 'less',
          ours: ours.cpuMicros,
          peer: { name: 'viem', value: viem.cpuMicros },
        },
      ],
    }
  },
}
