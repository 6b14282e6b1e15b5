import {
  accountOf,
  authorize,
  facilitatorRequest,
  type Hex,
  newAccount,
  paymentPayload,
  requirementOf,
  type Signed,
  sendAndWait,
  type Target,
  transfersFrom,
} from '@callboard/conformance'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Doors } from './doors.ts'
import { highS } from './high-s.ts'

type Devnet = NonNullable<Target['devnet']>

const PASSER_BY = 6

/** Submits an authorization to the token from an account that is not the facilitator's. */
async function submit(devnet: Devnet, { authorization, signature }: Signed): Promise<Hex> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const data = encodeFunctionData({
    abi: parseAbi(['function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)']),
    args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature],
  })
  return sendAndWait(devnet, accountOf(devnet, PASSER_BY), { to: devnet.usdc.address, data })
}

/** A payment moves money once, no matter which client presents it, where and how often. */
export const once = (doors: () => Doors) =>
  describe('one settlement at most', () => {
    const asked = () => doors().asked
    const devnet = () => doors().devnet

    const oneTransfer = async (payer: Address, transaction: unknown) =>
      expect(await transfersFrom(devnet(), payer)).toMatchObject([{ value: BigInt(asked().amount), transaction }])

    test('one payment settled 50 times at once: one transfer, 50 equal answers', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const request = facilitatorRequest(asked(), await authorize(payer, asked()))
      const answers = await Promise.all(Array.from({ length: 50 }, () => doors().settle(request)))
      const [first] = answers
      expect(first?.body).toMatchObject({ success: true, payer: payer.address, network: devnet().network })
      for (const answer of answers) expect(answer).toEqual(first)
      await oneTransfer(payer.address, first?.body.transaction)
      expect(await doors().settle(request)).toEqual(first)
      expect((await doors().verify(request)).body).toMatchObject({
        invalidReason: 'invalid_exact_evm_nonce_already_used',
      })
    })

    test('one payment presented 50 times at once to a paid route: one transfer, 50 equal grants', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const payment = paymentPayload(asked(), await authorize(payer, asked()))
      const answers = await Promise.all(Array.from({ length: 50 }, () => doors().decode(payment)))
      const [first] = answers
      expect(first).toMatchObject({ status: 200, evidence: { success: true } })
      for (const answer of answers) expect(answer).toEqual(first)
      await oneTransfer(payer.address, first?.evidence?.transaction)
    })

    test('409 payment_conflict: the same payment for another request, before and after it is settled', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const payment = paymentPayload(asked(), await authorize(payer, asked()))
      const works = await Promise.all(Array.from({ length: 8 }, doors().otherWork))
      const answers = await Promise.all(works.map((work) => doors().decode(payment, work)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const others = answers.filter(({ status }) => status !== 200)
      for (const other of others) expect(other).toMatchObject({ status: 409, body: { error: 'payment_conflict' } })
      expect(await doors().decode(payment)).toMatchObject({ status: 409, body: { error: 'payment_conflict' } })
      expect(await transfersFrom(devnet(), payer.address)).toHaveLength(1)
    })

    test('the nonce of a settled payment pays no other payee: invalid_exact_evm_nonce_already_used', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const signed = await authorize(payer, asked())
      const paid = await doors().settle(facilitatorRequest(asked(), signed))
      expect(paid.body).toMatchObject({ success: true })
      const other = requirementOf(devnet(), newAccount().address, asked().amount)
      const { nonce } = signed.authorization
      const request = facilitatorRequest(other, await authorize(payer, other, { authorization: { nonce } }))
      expect((await doors().settle(request)).body).toMatchObject({
        errorReason: 'invalid_exact_evm_nonce_already_used',
      })
      const malleated = facilitatorRequest(asked(), highS(signed))
      expect((await doors().settle(malleated)).body).toMatchObject({ errorReason: 'invalid_exact_evm_signature' })
      await oneTransfer(payer.address, paid.body.transaction)
    })

    test('two payments, money for one: one settles, the other is refused', async () => {
      const payer = await doors().walletWith(BigInt(asked().amount))
      const requests = [await authorize(payer, asked()), await authorize(payer, asked())].map((signed) =>
        facilitatorRequest(asked(), signed),
      )
      const answers = await Promise.all(requests.map(doors().settle))
      expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
      expect(answers.find(({ body }) => !body.success)?.body).toMatchObject({
        errorReason: 'invalid_exact_evm_insufficient_balance',
      })
      expect(await transfersFrom(devnet(), payer.address)).toHaveLength(1)
    })

    test('a third party submits the authorization first: one grant, with that transaction as evidence', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const signed = await authorize(payer, asked())
      const transaction = await submit(devnet(), signed)
      expect(await doors().decode(paymentPayload(asked(), signed))).toMatchObject({
        status: 200,
        evidence: { success: true, transaction },
      })
      await oneTransfer(payer.address, transaction)
    })
  })
