import {
  authorize,
  buy,
  newAccount,
  paymentPayload,
  startExpressSeller,
  startHonoSeller,
  transfersFrom,
} from '@callboard/conformance'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { describe, expect, test } from 'vitest'
import type { Doors } from './doors.ts'

const json = { 'content-type': 'application/json' }

/** Clients and sellers that know only the standard, and nothing of us. */
export const stock = (doors: () => Doors) =>
  describe('stock clients and sellers', () => {
    const asked = () => doors().asked
    const devnet = () => doors().devnet

    test('an unchanged @x402/fetch buys from us, and from @x402/express and @x402/hono that settle through us', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const target = { baseUrl: doors().baseUrl, devnet: devnet() }
      const payTo = newAccount().address
      const product = { method: 'GET', path: '/product', amount: '2500', payTo, description: 'A product' } as const
      const sellers = await Promise.all([startExpressSeller(target, [product]), startHonoSeller(target, [product])])
      try {
        for (const seller of sellers) {
          expect((await buy(devnet(), payer, seller.url('/product'))).body).toEqual({ served: '/product' })
        }
        const init = { method: 'POST', headers: json, body: JSON.stringify(doors().work) }
        const { body } = await buy(devnet(), payer, `${doors().baseUrl}/x402/decode`, init)
        expect(body).toMatchObject({ x402Version: 2, findings: expect.any(Array) })
      } finally {
        await Promise.all(sellers.map((seller) => seller.close()))
      }
      const moved = (await transfersFrom(devnet(), payer.address)).map(({ to, value }) => ({ to, value }))
      expect(moved).toEqual([
        { to: payTo, value: 2_500n },
        { to: payTo, value: 2_500n },
        { to: asked().payTo, value: BigInt(asked().amount) },
      ])
    })

    test('the HTTPFacilitatorClient of @x402/core verifies, settles and reads supported kinds', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const client = new HTTPFacilitatorClient({ url: `${doors().baseUrl}/x402` })
      const requirement = { ...asked(), extra: { ...asked().extra } }
      const payload = { ...paymentPayload(requirement, await authorize(payer, asked())) }
      type Payment = Parameters<typeof client.verify>[0]
      const payment = payload as unknown as Payment
      expect(await client.verify(payment, requirement)).toEqual({ isValid: true, payer: payer.address })
      const settled = await client.settle(payment, requirement)
      expect(settled).toMatchObject({ success: true, payer: payer.address, network: devnet().network })
      const [moved] = await transfersFrom(devnet(), payer.address)
      expect(moved?.transaction).toBe(settled.transaction)
      const { kinds } = await client.getSupported()
      expect(kinds).toContainEqual(
        expect.objectContaining({ x402Version: 2, scheme: 'exact', network: devnet().network }),
      )
    })
  })
