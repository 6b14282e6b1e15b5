import { ExactEvmScheme } from '@x402/evm/exact/server'
import { x402ResourceServer } from '@x402/express'
import { describe, expect, test } from 'vitest'
import { sellOnce } from './sell-once.ts'

const network = 'eip155:31337'
const accepted = {
  scheme: 'exact',
  network,
  asset: '0x01',
  amount: '1',
  payTo: '0x02',
  maxTimeoutSeconds: 60,
  extra: { name: 'USDC', version: '2' },
} as const
const paymentPayload = { x402Version: 2, accepted, payload: { authorization: { from: '0x03', nonce: '0x04' } } }
const settled = { success: true, transaction: '0x05', network } as const
const refusedAs = (errorReason: string) => ({ success: false, errorReason, transaction: '', network }) as const

/** A server whose facilitator gives these answers to `settle`, and calls a payment used from the first one on. */
async function serverWith(...answers: (Error | typeof settled | ReturnType<typeof refusedAs>)[]) {
  let asked = 0
  const server = new x402ResourceServer({
    getSupported: async () => ({ kinds: [{ x402Version: 2, scheme: 'exact', network }], extensions: [], signers: {} }),
    verify: async () => ({ isValid: asked === 0 }),
    settle: async () => {
      const answer = answers[asked] ?? settled
      asked += 1
      if (answer instanceof Error) throw answer
      return answer
    },
  }).register(network, new ExactEvmScheme())
  sellOnce(server)
  await server.initialize()
  const isSold = async (): Promise<boolean> => {
    const { isValid } = await server.verifyPayment(paymentPayload, accepted)
    const outcome = isValid ? await server.settlePayment(paymentPayload, accepted).catch(() => undefined) : undefined
    return outcome?.success ?? false
  }
  return { isSold }
}

describe('sellOnce', () => {
  test('default: sells a payment once', async () => {
    const { isSold } = await serverWith()
    expect([await isSold(), await isSold()]).toEqual([true, false])
  })

  test('behavior: sells a payment whose settlement was not answered, or was pending, when it is presented again', async () => {
    const { isSold } = await serverWith(new Error('fetch failed'), refusedAs('settlement_pending'))
    expect([await isSold(), await isSold(), await isSold(), await isSold()]).toEqual([false, false, true, false])
  })

  test('behavior: verifies a payment again after it was refused', async () => {
    const { isSold } = await serverWith(refusedAs('invalid_exact_evm_insufficient_balance'))
    expect([await isSold(), await isSold()]).toEqual([false, false])
  })
})
