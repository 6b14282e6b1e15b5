import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'
import type { DevnetFile } from './instance.ts'

/** A request that a seller received. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly userAgent: string
  readonly isPaid: boolean
}

/** A stock seller that sells every path, and keeps what it was asked. */
export async function startHostileSeller({ facilitatorUrl, network, usdc }: DevnetFile, payTo: string) {
  const received: Received[] = []
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl }))
  server.register(network, new ExactEvmScheme())
  await server.initialize()
  const price = { amount: '20000', asset: usdc.address, extra: { name: usdc.name, version: usdc.version } }
  const accepts = { scheme: 'exact', network, payTo, price, maxTimeoutSeconds: 120 }
  const app = express()
  app.use(express.text({ type: () => true }))
  app.use(({ method, originalUrl, body, headers }, _res, next) => {
    const { 'user-agent': userAgent = '', 'payment-signature': payment } = headers
    const text = typeof body === 'string' ? body : ''
    received.push({ method, url: originalUrl, body: text, userAgent, isPaid: payment !== undefined })
    next()
  })
  app.use(paymentMiddleware({ '*': { accepts, description: 'Anything' } }, server, undefined, undefined, false))
  app.use((_req, res) => void res.json({ sold: true }))
  const listener = app.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    received,
    async close() {
      listener.closeAllConnections()
      listener.close()
      await once(listener, 'close')
    },
  }
}
