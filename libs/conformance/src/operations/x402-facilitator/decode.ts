import { x402Facilitator } from '@callboard/contract'
import { PaymentRequired } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { buy } from '../../actors/buyer.ts'
import { fund, newAccount, transfersFrom } from '../../actors/chain.ts'
import { type Answer, Client } from '../../actors/client.ts'
import { authorize, fromHeader, paymentPayload, type Requirement, toHeader } from '../../actors/payment.ts'
import { accepted, expectFields, refused, unpaid } from '../../expectations/expectations.ts'
import { FIELDS } from '../../expectations/specification.ts'
import { type Stage, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/x402/decode'

/** `Vary` says that the answer depends on the request's payment headers. */
const expectVaried = (headers: Headers) =>
  expect(headers.get('vary')?.split(/,\s*/)).toEqual(expect.arrayContaining(['PAYMENT-SIGNATURE', 'X-PAYMENT']))
const { result: Decoded } = x402Facilitator.decode.output.shape

export const decode: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  const offerOf = (answer: Answer) => PaymentRequired.parse(unpaid(x402Facilitator.decode, answer))

  /** The devnet's entry of the live offer. */
  async function asked({ devnet }: Stage): Promise<Requirement> {
    const entry = offerOf(await client().post(PATH)).accepts.find(({ network }) => network === devnet.network)
    if (!entry) expect.fail(`The decoder is not sold on ${devnet.network}`)
    return entry as unknown as Requirement
  }

  describe('unpaid', () => {
    test('402 with the offer in body and header, before the body is read', async () => {
      const { resource, accepts } = offerOf(await client().post(PATH))
      expect(resource.url).toBe(new URL(PATH, target().baseUrl).href)
      for (const entry of accepts) {
        expectFields(entry, FIELDS.offerEntry)
        expectFields(entry.extra, FIELDS.offerExtra)
        expect(entry.scheme).toBe('exact')
      }
      const nonsense = await client().post(PATH, { no: 'sense' })
      expect(offerOf(nonsense)).toEqual(offerOf(await client().post(PATH)))
    })

    test('the 402 is not cacheable, and browsers may read its header', async () => {
      const { headers } = await client().post(PATH)
      expect(headers.get('cache-control')).toBe('no-store')
      expectVaried(headers)
      expect(headers.get('access-control-expose-headers')).toContain('PAYMENT-REQUIRED')
    })

    test('every payment carries the routing proof and may have an identifier', async () => {
      const { extensions } = offerOf(await client().post(PATH))
      expect(extensions).toMatchObject({
        'builder-code': { info: { s: ['svc'] } },
        'payment-identifier': { info: { required: false } },
      })
    })
  })

  describe('paid', () => {
    staged(
      target,
      'the stock @x402/fetch pays, and gets the decoded payment with evidence in the header',
      async (stage) => {
        const { devnet, payer } = stage
        const header = toHeader(paymentPayload(stage.asked, await authorize(payer, stage.asked)))
        const bought = await buy(devnet, payer, `${target().baseUrl}${PATH}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ header }),
        })
        expect(Decoded.parse(bought.body)).toMatchObject({
          x402Version: 2,
          network: devnet.network,
          recoveredSigner: payer.address,
        })
        const moved = await transfersFrom(devnet, payer.address)
        expect(moved.map(({ transaction }) => transaction)).toContain(bought.transaction)
      },
    )

    staged(target, 'a repeat gets the same answer; the same payment for another request is a 409', async (stage) => {
      const { payer, devnet } = stage
      const entry = await asked(stage)
      const payment = paymentPayload(entry, await authorize(payer, entry))
      const headers = { 'payment-signature': toHeader(payment) }
      const pay = (body: object) => client().post(PATH, body, { headers })

      const first = await pay({ payload: payment })
      accepted(x402Facilitator.decode, first, Decoded)
      expectVaried(first.headers)
      const evidence = fromHeader(first.headers.get('payment-response')) as object
      expectFields(evidence, FIELDS.settlementEvidence)
      expect(evidence).toMatchObject({ success: true, payer: payer.address, network: devnet.network })

      const again = await pay({ payload: payment })
      expect(accepted(x402Facilitator.decode, again, Decoded)).toEqual(Decoded.parse(first.json()))
      expect(fromHeader(again.headers.get('payment-response'))).toEqual(evidence)
      refused(x402Facilitator.decode, await pay({ header: 'another' }), 400, 'invalid_request', 'header')
      const other = { payload: paymentPayload(entry, await authorize(payer, entry)) }
      refused(x402Facilitator.decode, await pay(other), 409, 'payment_conflict')
    })

    staged(
      target,
      'an identifier belongs to its payer: a third party that sends it pays for its own answer',
      async (stage) => {
        const { devnet, payer } = stage
        const entry = await asked(stage)
        const extensions = { 'payment-identifier': { info: { required: false, id: `order-${crypto.randomUUID()}` } } }
        const buyBy = async (account: typeof payer, body: object) => {
          const payment = { ...paymentPayload(entry, await authorize(account, entry)), extensions }
          const answer = await client().post(PATH, body, { headers: { 'payment-signature': toHeader(payment) } })
          accepted(x402Facilitator.decode, answer, Decoded)
          return fromHeader(answer.headers.get('payment-response'))
        }
        const body = { payload: paymentPayload(entry, await authorize(payer, entry)) }
        const other = newAccount()
        await fund(devnet, other.address, { usdc: BigInt(entry.amount) })
        const first = await buyBy(payer, body)
        expect(await buyBy(payer, body)).toEqual(first)
        expect(await buyBy(other, body)).toMatchObject({ success: true, payer: other.address })
      },
    )

    staged(target, '402 with the offer and the reason: a payment that does not match the offer', async (stage) => {
      const entry = await asked(stage)
      const cheap = { ...entry, amount: '1' }
      const payment = paymentPayload(cheap, await authorize(stage.payer, cheap))
      const headers = { 'payment-signature': toHeader(payment) }
      const offer = offerOf(await client().post(PATH, { payload: payment }, { headers }))
      expect(offer.error).toBe('No matching payment requirements')
      expect(offer.accepts).toContainEqual(entry)
    })

    test.each([
      ['not base64', '!!!'],
      ['not JSON', Buffer.from('{').toString('base64')],
      ['no payment', toHeader({ x402Version: 2 })],
    ])('400 names the header: %s', async (_what, value) => {
      const answer = await client().post(PATH, {}, { headers: { 'payment-signature': value } })
      refused(x402Facilitator.decode, answer, 400, 'invalid_request', 'PAYMENT-SIGNATURE')
    })
  })
}
