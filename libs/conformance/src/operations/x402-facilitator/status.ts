import { x402Facilitator } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { authorize, facilitatorRequest } from '../../actors/payment.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/x402/payments'
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const known = { network: 'eip155:8453', asset: ADDRESS, from: ADDRESS, nonce: `0x${'ab'.repeat(32)}` }

export const status: Register = (target) => {
  const get = (query: Record<string, string>) =>
    new Client(target().baseUrl).get(`${PATH}?${new URLSearchParams(query)}`)

  test('answers absent if no such payment was claimed', async () => {
    expect(accepted(x402Facilitator.status, await get(known))).toEqual({ state: 'absent', settlement: null })
  })

  staged(target, 'answers settled, with the answer that the settlement got', async ({ payer, asked }) => {
    const request = facilitatorRequest(asked, await authorize(payer, asked))
    const settled = accepted(x402Facilitator.settle, await new Client(target().baseUrl).post('/x402/settle', request))
    const { from, nonce } = request.paymentPayload.payload.authorization
    const asking = { network: asked.network, asset: asked.asset, from, nonce }
    expect(accepted(x402Facilitator.status, await get(asking))).toEqual({ state: 'settled', settlement: settled })
  })

  test.each(['network', 'asset', 'from', 'nonce'] as const)('400 names the field: no %s', async (field) => {
    const { [field]: _left, ...rest } = known
    refused(x402Facilitator.status, await get(rest), 400, 'invalid_request', field)
  })

  test('400 names the field: a malformed nonce', async () => {
    refused(x402Facilitator.status, await get({ ...known, nonce: '0x1' }), 400, 'invalid_request', 'nonce')
  })
}
