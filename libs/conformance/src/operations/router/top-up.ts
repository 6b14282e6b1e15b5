import { router } from '@callboard/contract'
import { PaymentRequired } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { newAgent, ownerAndAgentOf } from '../../actors/agent.ts'
import { newAccount } from '../../actors/chain.ts'
import { type Answer, Client } from '../../actors/client.ts'
import { newOwner, type Owner, visitorOf } from '../../actors/owner.ts'
import { authorize, fromHeader, paymentPayload, toHeader } from '../../actors/payment.ts'
import { topUpPath, topUpPayment, topUpPrice, topUpWith } from '../../actors/top-up.ts'
import { accepted, expectFields, refused, unpaid } from '../../expectations/expectations.ts'
import { FIELDS } from '../../expectations/specification.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const op = router.topUp
const { result: Accepted } = op.output.shape

const balanceOf = async ({ session }: Owner) => accepted(router.usage, await session.get('/api/router/usage')).balance

/** What was bought, and the evidence of its settlement. */
const purchase = (answer: Answer) => ({
  result: accepted(op, answer, Accepted),
  evidence: fromHeader(answer.headers.get('payment-response')) as object,
})

export const topUp: Register = (target) => {
  describe('unpaid', () => {
    test('401 owner_required, without an offer: there is no owner to credit', async () => {
      const { baseUrl } = target()
      for (const client of [new Client(baseUrl), new Client(baseUrl, { authorization: 'Bearer unknown' })]) {
        const answer = await client.post(topUpPath(5))
        refused(op, answer, 401, 'owner_required')
        expect(answer.headers.get('payment-required')).toBeNull()
      }
    })

    test('402 for an owner by session, API key and agent’s token: the tier in exact USDC', async () => {
      const { owner, agent } = await ownerAndAgentOf(target())
      for (const client of [owner.session, owner.api, agent.api]) {
        const { accepts, resource } = PaymentRequired.parse(unpaid(op, await client.post(topUpPath(5))))
        expect(resource.url).toBe(new URL(topUpPath(5), target().baseUrl).href)
        expect(accepts.length).toBeGreaterThan(0)
        for (const entry of accepts) {
          expectFields(entry, FIELDS.offerEntry)
          expect(entry).toMatchObject({ scheme: 'exact', amount: '5000000' })
        }
      }
    })

    test('every tier costs exactly what it credits', async () => {
      const { session } = await visitorOf(target())
      for (const usd of router.TOP_UP_USD) {
        const { accepts } = PaymentRequired.parse(unpaid(op, await session.post(topUpPath(usd))))
        expect(new Set(accepts.map(({ amount }) => amount))).toEqual(new Set([`${usd}000000`]))
      }
    })

    test('400 names an amount that is not a tier, and an unreadable payment header', async () => {
      const { session } = await visitorOf(target())
      for (const amount of ['2', '05', '5.0', 'all']) {
        refused(op, await session.post(topUpPath(amount)), 400, 'invalid_request', 'amount')
      }
      refused(op, await topUpWith(session, 5, '!!!'), 400, 'invalid_request', 'PAYMENT-SIGNATURE')
    })
  })

  describe('paid', () => {
    staged(target, 'credits the signed-in owner, whoever pays, and again for another payment', async (stage) => {
      const { devnet } = stage
      const owner = await newOwner(target())
      const agent = await newAgent(target(), owner)
      for (const [client, purchasedUsd] of [
        [owner.session, '1'],
        [owner.api, '2'],
        [agent.api, '3'],
      ] as const) {
        const { payer, payment } = await topUpPayment(client, devnet, 1)
        const { result, evidence } = purchase(await topUpWith(client, 1, payment))
        expect(result).toEqual({ status: 'accepted', usd: 1, owner: owner.account.address })
        expectFields(evidence, FIELDS.settlementEvidence)
        expect(evidence).toMatchObject({ success: true, payer: payer.address, network: devnet.network })
        expect(await balanceOf(owner)).toEqual({ purchasedUsd, spentUsd: '0', remainingUsd: purchasedUsd })
      }
    })

    staged(target, 'credits a repeated payment once, with the same answer', async ({ devnet }) => {
      const owner = await newOwner(target())
      const { payment } = await topUpPayment(owner.session, devnet, 1)
      const first = purchase(await topUpWith(owner.session, 1, payment))
      expect(purchase(await topUpWith(owner.session, 1, payment))).toEqual(first)
      expect(purchase(await topUpWith(owner.api, 1, payment))).toEqual(first)
      expect((await balanceOf(owner))?.purchasedUsd).toBe('1')
    })

    staged(target, '409 payment_conflict: a payment that credited another owner', async ({ devnet }) => {
      const [owner, other] = [await newOwner(target()), await newOwner(target())]
      const { payment } = await topUpPayment(owner.session, devnet, 1)
      purchase(await topUpWith(owner.session, 1, payment))
      refused(op, await topUpWith(other.session, 1, payment), 409, 'payment_conflict')
      expect(await balanceOf(other)).toBeNull()
    })

    staged(target, '402 with the reason and no credit: less than the tier, and insufficient funds', async (stage) => {
      const { devnet } = stage
      const owner = await newOwner(target())
      const { payment } = await topUpPayment(owner.session, devnet, 1)
      const tooLittle = unpaid(op, await topUpWith(owner.session, 5, payment))
      expect(tooLittle).toMatchObject({ error: 'No matching payment requirements' })
      const price = await topUpPrice(owner.session, devnet, 1)
      const bounced = toHeader(paymentPayload(price, await authorize(newAccount(), price)))
      const noFunds = unpaid(op, await topUpWith(owner.session, 1, bounced))
      expect(noFunds).toMatchObject({ error: expect.stringMatching(/insufficient_(funds|balance)/) })
      expect(await balanceOf(owner)).toBeNull()
    })
  })

  test('403 origin_mismatch: a write from another site, with the owner’s session', async () => {
    const { session } = await visitorOf(target())
    const answer = await session.post(topUpPath(5), undefined, { headers: { origin: 'https://callboard.example' } })
    refused(op, answer, 403, 'origin_mismatch', 'origin')
  })
}
