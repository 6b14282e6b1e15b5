import { x402Facilitator } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount, transfersFrom } from '../chain.ts'
import { Client } from '../client.ts'
import { accepted, refused } from '../expectations.ts'
import { authorize, facilitatorRequest } from '../payment.ts'
import { staged } from '../stage.ts'
import type { Register } from '../target.ts'

const PATH = '/x402/verify'

export const verify: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  staged(target, 'says yes to a payment that would settle, and moves nothing', async ({ devnet, payer, asked }) => {
    const before = await transfersFrom(devnet, payer.address)
    const request = facilitatorRequest(asked, await authorize(payer, asked))
    for (let time = 0; time < 2; time++) {
      const body = accepted(x402Facilitator.verify, await client().post(PATH, request))
      expect(body).toEqual({ isValid: true, payer: payer.address })
    }
    expect(await transfersFrom(devnet, payer.address)).toEqual(before)
  })

  staged(target, 'says no with the reason; that is an answer and no error', async ({ payer, asked }) => {
    const signed = await authorize(payer, asked, { signer: newAccount() })
    const body = accepted(x402Facilitator.verify, await client().post(PATH, facilitatorRequest(asked, signed)))
    expect(body).toEqual({ isValid: false, invalidReason: 'invalid_exact_evm_signature', payer: payer.address })
  })

  test('a payload that is no payment is an answer too', async () => {
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
