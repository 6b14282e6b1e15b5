import type { Operation } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../actors/client.ts'
import { emptyKeyOf, type RouterKey, sending, UNKNOWN_KEY } from '../actors/router-key.ts'
import { refused } from '../expectations/expectations.ts'
import type { TargetOf } from '../target.ts'
import { type Capability, sold } from './sold.ts'

/** A route that answers with a model's work. */
export interface ModelCall {
  readonly op: Operation
  readonly path: string
  readonly capability: Capability
  /** A request that is good, but for its model. */
  readonly body: (model: string) => object
  /** Members that are wrong: of each, the field that the refusal names. */
  readonly wrong: readonly (readonly [field: string, members: object])[]
}

/** No model of this name is sold anywhere. */
const NO_MODEL = 'conformance-no-such-model'

/** Registers what every route of models refuses, each in the shape of its surface. */
export function registerRefusedCalls(target: TargetOf, { op, path, capability, body, wrong }: ModelCall): void {
  const clientsOf = ({ bearer, xApiKey }: Pick<RouterKey, 'bearer' | 'xApiKey'>) => [bearer, xApiKey]

  test('401 unauthorized: without a key, and with one that nobody has, as bearer and as x-api-key', async () => {
    for (const client of [new Client(target().baseUrl), ...clientsOf(sending(target(), UNKNOWN_KEY))]) {
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
        error: { limit: 'balance', remainingUsd: '0', resetsAt: null },
      })
      for (const name of ['retry-after', 'payment-required']) expect(answer.headers.get(name), name).toBeNull()
    }
  })
}
