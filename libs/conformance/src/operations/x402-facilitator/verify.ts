import { x402Facilitator } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount, transfersFrom } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { authorize, facilitatorRequest } from '../../actors/payment.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/x402/verify'

export const verify: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  staged(target, 'accepts a payment that would settle, and moves nothing', async ({ devnet, payer, asked }) => {
    const before = await transfersFrom(devnet, payer.address)
    const request = facilitatorRequest(asked, await authorize(payer, asked))
    for (let time = 0; time < 2; time++) {
      const body = accepted(x402Facilitator.verify, await client().post(PATH, request))
      expect(body).toEqual({ isValid: true, payer: payer.address })
    }
    expect(await transfersFrom(devnet, payer.address)).toEqual(before)
  })

  staged(target, 'rejects with a reason; that is an answer and not an error', async ({ payer, asked }) => {
    const signed = await authorize(payer, asked, { signer: newAccount() })
    const body = accepted(x402Facilitator.verify, await client().post(PATH, facilitatorRequest(asked, signed)))
    expect(body).toEqual({ isValid: false, invalidReason: 'invalid_exact_evm_signature', payer: payer.address })
  })

  staged(
    target,
    'a transfer to its payer or of zero is not a payment, and the answer says why',
    async ({ payer, asked }) => {
      const toSelf = { ...asked, payTo: payer.address }
      const nothing = { ...asked, amount: '0' }
      for (const [offer, field] of [
        [toSelf, 'authorization.to'],
        [nothing, 'amount'],
      ] as const) {
        const request = facilitatorRequest(offer, await authorize(payer, offer))
        const body = accepted(x402Facilitator.verify, await client().post(PATH, request))
        expect(body).toMatchObject({ isValid: false, invalidMessage: expect.stringContaining(`${field}: `) })
      }
    },
  )

  staged(target, 'an unsupported kind is refused by its name', async ({ payer, asked }) => {
    const request = facilitatorRequest(asked, await authorize(payer, asked))
    for (const scheme of ['upto', 'batch-settlement']) {
      const offer = { ...asked, scheme }
      const asking = {
        ...request,
        paymentRequirements: offer,
        paymentPayload: { ...request.paymentPayload, accepted: offer },
      }
      const body = accepted(x402Facilitator.verify, await client().post(PATH, asking))
      expect(body).toMatchObject({
        invalidReason: 'unsupported_scheme',
        invalidMessage: expect.stringContaining(scheme),
      })
    }
    const payload = { signature: '0x', permit2Authorization: {} }
    const permit2 = { ...request, paymentPayload: { ...request.paymentPayload, payload } }
    expect(accepted(x402Facilitator.verify, await client().post(PATH, permit2))).toMatchObject({
      invalidReason: 'unsupported_payload_type',
      invalidMessage: expect.stringContaining('permit2'),
    })
  })

  staged(
    target,
    'a confirmation policy that is not allowed is refused, naming the allowed ones',
    async ({ payer, asked }) => {
      const offer = { ...asked, extra: { ...asked.extra, confirmation: 'soon' } }
      const request = facilitatorRequest(offer, await authorize(payer, offer))
      expect(accepted(x402Facilitator.verify, await client().post(PATH, request))).toEqual({
        ...{ isValid: false, invalidReason: 'invalid_payment_requirements', payer: payer.address },
        invalidMessage: expect.stringMatching(/^extra\.confirmation: .*"included"/),
      })
    },
  )

  staged(target, 'null counts as absent, as typed languages send it', async ({ payer, asked }) => {
    const { paymentPayload, paymentRequirements, ...rest } = facilitatorRequest(asked, await authorize(payer, asked))
    const request = {
      ...rest,
      paymentPayload: { ...paymentPayload, resource: null, extensions: null },
      paymentRequirements: { ...paymentRequirements, description: null, mimeType: null, outputSchema: null },
    }
    expect(accepted(x402Facilitator.verify, await client().post(PATH, request))).toMatchObject({ isValid: true })
  })

  test.each([
    ['a doubled member', '{"x402Version":2,"x402Version":1}', '"x402Version"'],
    ['a byte-order mark', '\ufeff{}', 'byte-order mark'],
  ])('400 names what two parsers could read differently: %s', async (_what, body, named) => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const answer = await fetch(target().baseUrl + PATH, sent)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ field: 'body', message: expect.stringContaining(named) })
  })

  test('a malformed payload gets an answer, too', async () => {
    const request = { x402Version: 2, paymentPayload: { x402Version: 2 }, paymentRequirements: {} }
    const body = accepted(x402Facilitator.verify, await client().post(PATH, request))
    expect(body).toEqual({ isValid: false, invalidReason: 'invalid_payload' })
  })

  test.each([
    ['no body', undefined, 'x402Version'],
    ['version 3', { x402Version: 3, paymentPayload: {}, paymentRequirements: {} }, 'x402Version'],
    ['no payload', { x402Version: 2, paymentRequirements: {} }, 'paymentPayload'],
    ['no requirements', { x402Version: 2, paymentPayload: {} }, 'paymentRequirements'],
    ['a payload in a text', { x402Version: 2, paymentPayload: '{}', paymentRequirements: {} }, 'paymentPayload'],
  ])('400 names the field: %s', async (_what, body, field) => {
    refused(x402Facilitator.verify, await client().post(PATH, body), 400, 'invalid_request', field)
  })
}
