import type { Operation } from '@callboard/contract'
import { PaymentRequired } from '@callboard/x402'
import { expect, test } from 'vitest'
import { fund, newAccount } from '../actors/chain.ts'
import { type Answer, Client } from '../actors/client.ts'
import { newOwner } from '../actors/owner.ts'
import { authorize, fromHeader, paymentPayload, type Requirement, toHeader } from '../actors/payment.ts'
import { emptyKeyOf, newRouterKey, type RouterKey, sending, UNKNOWN_KEY } from '../actors/router-key.ts'
import { refused } from '../expectations/expectations.ts'
import type { TargetOf } from '../target.ts'
import { bought, type Capability, sold } from './sold.ts'

/** A route that answers with a model's output. */
export interface ModelCall {
  readonly op: Operation
  readonly path: string
  readonly capability: Capability
  /** A request that is valid except for its model. */
  readonly body: (model: string) => object
  /** Invalid members, each with the field that the refusal names. */
  readonly wrong: readonly (readonly [field: string, members: object])[]
}

/** No model of this name is sold anywhere. */
const NO_MODEL = 'conformance-no-such-model'

/** The offer in a refusal for lack of money. */
const offerOf = (answer: Answer) => PaymentRequired.parse(fromHeader(answer.headers.get('payment-required')))

/** Registers the refusals common to every model route, each in the shape of its surface. */
export function registerRefusedCalls(target: TargetOf, { op, path, capability, body, wrong }: ModelCall): void {
  const clientsOf = ({ bearer, xApiKey }: Pick<RouterKey, 'bearer' | 'xApiKey'>) => [bearer, xApiKey]

  test('401 unauthorized: with an unknown key, as bearer and as x-api-key', async () => {
    for (const client of clientsOf(sending(target(), UNKNOWN_KEY))) {
      refused(op, await client.post(path, body(NO_MODEL)), 401, 'unauthorized')
    }
  })

  test('404 model_not_found: a model that is not sold', async () => {
    for (const client of clientsOf(await emptyKeyOf(target()))) {
      refused(op, await client.post(path, body(NO_MODEL)), 404, 'model_not_found', 'model')
    }
  })

  test('400 names the field', async () => {
    const { bearer } = await emptyKeyOf(target())
    for (const [field, members] of wrong) {
      refused(op, await bearer.post(path, { ...body(NO_MODEL), ...members }), 400, 'invalid_request', field)
    }
  })

  test('400: a body that is not JSON', async () => {
    const { bearer } = await emptyKeyOf(target())
    const notJson = new Blob(['{'], { type: 'application/json' })
    refused(op, await bearer.post(path, notJson), 400, 'invalid_request', 'body')
  })

  sold(target, capability, '402 insufficient_quota: nothing was bought; waiting does not help', async ({ id }) => {
    for (const client of clientsOf(await emptyKeyOf(target()))) {
      const answer = await client.post(path, body(id))
      expect(refused(op, answer, 402, 'insufficient_quota')).toMatchObject({
        error: { limit: 'balance', remainingUsd: '0', resetsAt: null, topUpUsd: '1' },
      })
      expect(answer.headers.get('retry-after')).toBeNull()
      expect(offerOf(answer).accepts).toContainEqual(expect.objectContaining({ scheme: 'exact', amount: '1000000' }))
    }
  })

  sold(target, capability, '402 with the offer and a sign-in: without a key', async ({ id }) => {
    const answer = await new Client(target().baseUrl).post(path, body(id))
    refused(op, answer, 402, 'insufficient_quota')
    const { resource, extensions } = offerOf(answer)
    expect(resource.url).toBe(new URL(path.replace(/[?].*/, ''), target().baseUrl).href)
    const signIn = { domain: new URL(target().baseUrl).host, version: '1', nonce: expect.any(String) }
    expect(extensions).toMatchObject({ 'sign-in-with-x': { info: signIn, supportedChains: expect.any(Array) } })
  })

  sold(target, capability, '402 with the reason: a payment of money that is not there', async ({ id }) => {
    const { bearer } = await emptyKeyOf(target())
    const [price] = offerOf(await bearer.post(path, body(id))).accepts as unknown as Requirement[]
    if (!price) return
    const bounced = toHeader(paymentPayload(price, await authorize(newAccount(), price)))
    const answer = await bearer.post(path, body(id), { headers: { 'payment-signature': bounced } })
    refused(op, answer, 402, 'payment_required')
    expect(offerOf(answer).error).toMatch(/insufficient_(funds|balance)/)
  })

  bought(target, capability, '409 payment_conflict: a payment that came with another request', async ({ id }) => {
    const key = await newRouterKey(target(), await newOwner(target()))
    const { devnet } = target()
    const price = offerOf(await key.bearer.post(path, body(id))).accepts.find(
      ({ network }) => network === devnet?.network,
    )
    if (!devnet || !price) return
    const payer = newAccount()
    await fund(devnet, payer.address, { usdc: BigInt(price.amount) })
    const terms = price as unknown as Requirement
    const headers = { 'payment-signature': toHeader(paymentPayload(terms, await authorize(payer, terms))) }
    const served = await key.bearer.post(path, body(id), { headers })
    expect(served.status, served.text).toBe(200)
    expect(fromHeader(served.headers.get('payment-response'))).toMatchObject({ success: true, payer: payer.address })
    const other = { ...body(id), user: 'another' }
    refused(op, await key.bearer.post(path, other, { headers }), 409, 'payment_conflict')
    expect((await key.bearer.post(path, body(id))).status).toBe(200)
  })
}
