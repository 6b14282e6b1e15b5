import { x402Facilitator } from '@callboard/contract'
import { type ConfirmationReached, isAsFarAs } from '@callboard/x402'
import { expect, test } from 'vitest'
import { fund, newAccount, transfersFrom } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { authorize, facilitatorRequest } from '../../actors/payment.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS } from '../../expectations/specification.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/x402/settle'

export const settle: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  staged(target, 'settles once; a repeat gets the stored outcome', async ({ devnet, asked }) => {
    const payer = newAccount()
    const payTo = newAccount().address
    await fund(devnet, payer.address, { usdc: 50_000n })
    const requirement = { ...asked, payTo }
    const request = facilitatorRequest(requirement, await authorize(payer, requirement))
    const first = accepted(x402Facilitator.settle, await client().post(PATH, request))
    expectFields(first, FIELDS.settlementEvidence)
    expect(first).toMatchObject({ success: true, payer: payer.address, network: devnet.network, amount: asked.amount })
    expect(accepted(x402Facilitator.settle, await client().post(PATH, request))).toEqual(first)
    const moved = { to: payTo, value: BigInt(asked.amount), transaction: first.transaction }
    expect(await transfersFrom(devnet, payer.address)).toEqual([moved])
  })

  staged(
    target,
    'reports the confirmation policy and the confirmation reached, as the offer requests',
    async ({ payer, asked }) => {
      const offer = { ...asked, extra: { ...asked.extra, confirmation: 'included' } }
      const request = facilitatorRequest(offer, await authorize(payer, offer))
      const { extra } = accepted(x402Facilitator.settle, await client().post(PATH, request))
      const { policy, reached } = (extra as { confirmation: ConfirmationReached }).confirmation
      expect(policy).toBe('included')
      expect(isAsFarAs(reached, policy)).toBe(true)
    },
  )

  staged(
    target,
    '400 names a confirmation policy that is not allowed, and nothing moves',
    async ({ devnet, asked }) => {
      const payer = newAccount()
      const offer = { ...asked, extra: { ...asked.extra, confirmation: 'soon' } }
      const request = facilitatorRequest(offer, await authorize(payer, offer))
      const answer = await client().post(PATH, request)
      refused(x402Facilitator.settle, answer, 400, 'invalid_request', 'paymentRequirements.extra.confirmation')
      expect(await transfersFrom(devnet, payer.address)).toEqual([])
    },
  )

  staged(
    target,
    'a failure is an answer with its reason and without a transaction',
    async ({ devnet, payer, asked }) => {
      const signed = await authorize(payer, asked, { authorization: { value: '1' } })
      const body = accepted(x402Facilitator.settle, await client().post(PATH, facilitatorRequest(asked, signed)))
      expect(body).toEqual({
        success: false,
        errorReason: 'invalid_exact_evm_payload_authorization_value_mismatch',
        payer: payer.address,
        transaction: '',
        network: devnet.network,
      })
    },
  )

  staged(
    target,
    'a transfer to its payer or of zero is not sent, and the answer says why',
    async ({ payer, asked }) => {
      for (const offer of [
        { ...asked, payTo: payer.address },
        { ...asked, amount: '0' },
      ]) {
        const request = facilitatorRequest(offer, await authorize(payer, offer))
        const body = accepted(x402Facilitator.settle, await client().post(PATH, request))
        expect(body).toMatchObject({ success: false, transaction: '', errorMessage: expect.any(String) })
      }
    },
  )

  staged(target, 'a burst of 20 payments of a new payer is settled completely, in turns', async ({ devnet, asked }) => {
    const payer = newAccount()
    await fund(devnet, payer.address, { usdc: 20n * BigInt(asked.amount) })
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () =>
        accepted(
          x402Facilitator.settle,
          await client().post(PATH, facilitatorRequest(asked, await authorize(payer, asked))),
        ),
      ),
    )
    expect(answers.filter(({ success }) => success)).toHaveLength(20)
  })

  staged(target, 'treats an invalid credential like none', async ({ payer, asked }) => {
    const request = facilitatorRequest(asked, await authorize(payer, asked))
    const headers = { authorization: 'Bearer nothing' }
    const body = accepted(x402Facilitator.settle, await client().post(PATH, request, { headers }))
    expect(body).toMatchObject({ success: true })
  })

  test.each([
    ['no body', undefined, 'x402Version'],
    ['no payload', { x402Version: 2, paymentRequirements: {} }, 'paymentPayload'],
    ['no requirements', { x402Version: 2, paymentPayload: {} }, 'paymentRequirements'],
  ])('400 names the field: %s', async (_what, body, field) => {
    refused(x402Facilitator.settle, await client().post(PATH, body), 400, 'invalid_request', field)
  })
}
