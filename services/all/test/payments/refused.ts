import {
  authorize,
  type Deviation,
  facilitatorRequest,
  type Hex,
  type LocalAccount,
  newAccount,
  type Signed,
  transfersFrom,
  unixNow,
  usdcBalance,
} from '@callboard/conformance'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Doors } from './doors.ts'
import { highS } from './high-s.ts'

/** Payments that must not settle, each at verify, settle and the paid route, with the exact reason. */
export const refused = (doors: () => Doors) =>
  describe('refused payments, at every entry point', () => {
    const asked = () => doors().asked
    const devnet = () => doors().devnet

    let payer: LocalAccount
    beforeAll(async () => {
      payer = await doors().walletWith(1_000_000n)
    })

    const price = (difference: bigint) => String(BigInt(asked().amount) + difference)
    const thirdParty = newAccount()

    type Attack = readonly [what: string, reason: string, spoil: () => Promise<Signed>]
    const deviating = (what: string, reason: string, deviation: () => Deviation): Attack => [
      what,
      reason,
      () => authorize(payer, asked(), deviation()),
    ]
    const ATTACKS: readonly Attack[] = [
      deviating('one base unit less', 'invalid_exact_evm_payload_authorization_value_mismatch', () => ({
        authorization: { value: price(-1n) },
      })),
      deviating('one base unit more', 'invalid_exact_evm_payload_authorization_value_mismatch', () => ({
        authorization: { value: price(1n) },
      })),
      deviating('another recipient', 'invalid_exact_evm_recipient_mismatch', () => ({
        authorization: { to: thirdParty.address },
      })),
      deviating('expired', 'invalid_exact_evm_payload_authorization_valid_before', () => ({
        authorization: { validBefore: String(unixNow() - 1) },
      })),
      deviating('about to expire', 'invalid_exact_evm_payload_authorization_valid_before', () => ({
        authorization: { validBefore: String(unixNow() + 3) },
      })),
      deviating('not yet valid', 'invalid_exact_evm_payload_authorization_valid_after', () => ({
        authorization: { validAfter: String(unixNow() + 60) },
      })),
      deviating('signed by another key', 'invalid_exact_evm_signature', () => ({ signer: thirdParty })),
      deviating('signed for another token', 'invalid_exact_evm_signature', () => ({
        domain: { verifyingContract: thirdParty.address },
      })),
      deviating('signed for another chain', 'invalid_exact_evm_signature', () => ({ domain: { chainId: 8453 } })),
      ['the high-s malleated', 'invalid_exact_evm_signature', async () => highS(await authorize(payer, asked()))],
      [
        'one byte of the signature changed',
        'invalid_exact_evm_signature',
        async () => {
          const { authorization, signature } = await authorize(payer, asked())
          const flipped = signature.endsWith('1b') ? '1c' : '1b'
          return { authorization, signature: `${signature.slice(0, -2)}${flipped}` as Hex }
        },
      ],
      [
        'more than the payer has',
        'invalid_exact_evm_insufficient_balance',
        async () => authorize(await doors().walletWith(BigInt(asked().amount) - 1n), asked()),
      ],
      [
        'a payer whose code denies the signature',
        'invalid_exact_evm_signature',
        async () => {
          const wallet = await doors().walletWith(1_000_000n)
          await doors().node().setCode({ address: wallet.address, bytecode: '0x60006000fd' })
          return authorize(wallet, asked())
        },
      ],
    ]

    test.each(ATTACKS)('%s: %s', async (_what, reason, spoil) => {
      const signed = await spoil()
      const request = facilitatorRequest(asked(), signed)
      const { from } = signed.authorization
      expect(await doors().verify(request)).toMatchObject({
        status: 200,
        body: { isValid: false, invalidReason: reason, payer: from },
      })
      const failed = { success: false, errorReason: reason, payer: from, transaction: '' }
      expect(await doors().settle(request)).toMatchObject({ status: 200, body: failed })
      expect(await doors().decode(request.paymentPayload)).toMatchObject({
        status: 402,
        body: { x402Version: 2, error: reason, accepts: [asked()] },
        evidence: failed,
      })
      expect(await transfersFrom(devnet(), from)).toEqual([])
    })

    test('an unlisted token: invalid_payment_requirements', async () => {
      const foreign = { ...asked(), asset: thirdParty.address }
      const request = facilitatorRequest(foreign, await authorize(payer, foreign))
      expect((await doors().verify(request)).body).toMatchObject({ invalidReason: 'invalid_payment_requirements' })
      expect((await doors().settle(request)).body).toMatchObject({ errorReason: 'invalid_payment_requirements' })
      expect((await doors().decode(request.paymentPayload)).body).toMatchObject({
        error: 'No matching payment requirements',
      })
    })

    test('a chain that is not served: invalid_network; a chain other than required: a mismatch', async () => {
      const elsewhere = { ...asked(), network: 'eip155:8453' as const }
      const signed = await authorize(payer, elsewhere)
      const request = facilitatorRequest(elsewhere, signed)
      expect((await doors().settle(request)).body).toMatchObject({ errorReason: 'invalid_network' })
      const mixed = { ...request, paymentRequirements: asked() }
      expect((await doors().settle(mixed)).body).toMatchObject({ errorReason: 'invalid_exact_evm_network_mismatch' })
      expect((await doors().decode(request.paymentPayload)).body).toMatchObject({
        error: 'No matching payment requirements',
      })
    })

    test('a payer with code validates its own signature, and its payment settles', async () => {
      const wallet = await doors().walletWith(BigInt(asked().amount))
      const yes = `0x7f1626ba7e${'00'.repeat(28)}60005260206000f3` as const
      await doors().node().setCode({ address: wallet.address, bytecode: yes })
      const request = facilitatorRequest(asked(), await authorize(wallet, asked(), { signer: thirdParty }))
      expect((await doors().verify(request)).body).toEqual({ isValid: true, payer: wallet.address })
      expect((await doors().settle(request)).body).toMatchObject({ success: true })
      expect(await transfersFrom(devnet(), wallet.address)).toHaveLength(1)
    })

    test('no refused payment moved money', async () => {
      expect(await transfersFrom(devnet(), payer.address)).toEqual([])
      expect(await usdcBalance(devnet(), payer.address)).toBe(1_000_000n)
    })
  })
