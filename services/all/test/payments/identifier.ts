import { authorize, type LocalAccount, newNonce, paymentPayload, transfersFrom } from '@callboard/conformance'
import { describe, expect, test } from 'vitest'
import type { Doors } from './doors.ts'

/** A request with an identifier from its buyer. */
export const identifier = (doors: () => Doors) =>
  describe('payment-identifier', () => {
    const asked = () => doors().asked
    const devnet = () => doors().devnet

    const named = (id: string) => ({ 'payment-identifier': { info: { required: false, id } } })
    const newId = () => `name-${newNonce().slice(2, 30)}`
    const paymentOf = async (payer: LocalAccount, extensions: Record<string, unknown>) =>
      paymentPayload(asked(), await authorize(payer, asked()), extensions)

    test('the same identifier and request, paid again: the stored answer and no second settlement', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const extensions = named(newId())
      const pay = async () => doors().decode(await paymentOf(payer, extensions))
      const first = await pay()
      expect(first).toMatchObject({ status: 200, evidence: { success: true } })
      expect(await pay()).toEqual(first)
      expect(await transfersFrom(devnet(), payer.address)).toHaveLength(1)
    })

    test('409 payment_conflict: the same identifier for another request, for which nothing is paid', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const extensions = named(newId())
      expect((await doors().decode(await paymentOf(payer, extensions))).status).toBe(200)
      const answer = await doors().decode(await paymentOf(payer, extensions), await doors().otherWork())
      expect(answer).toMatchObject({ status: 409, body: { error: 'payment_conflict' } })
      expect(await transfersFrom(devnet(), payer.address)).toHaveLength(1)
    })

    test('400: a malformed identifier; 402: an extension that does not echo the offer', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const pay = async (extensions: Record<string, unknown>) => doors().decode(await paymentOf(payer, extensions))
      expect(await pay(named('short'))).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
      const changed = { 'payment-identifier': { info: { required: true } } }
      expect(await pay(changed)).toMatchObject({ status: 402, body: { error: 'extension_echo_mismatch' } })
      expect(await transfersFrom(devnet(), payer.address)).toEqual([])
    })
  })
