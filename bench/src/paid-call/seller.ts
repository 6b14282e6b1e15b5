import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address } from '@callboard/values'
import { HTTPFacilitatorClient } from '@x402/core/server'
import type { Network } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'

export interface SellerSettings {
  readonly facilitatorUrl: string
  readonly network: Network
  readonly asset: { readonly address: Address; readonly name: string; readonly version: string }
  /** Base units. */
  readonly amount: string
  readonly payTo: Address
}

/** A typical provider's seller: stock `@x402/express`, settled by the facilitator at a URL. @returns its URL */
export async function startSeller({ facilitatorUrl, network, asset, amount, payTo }: SellerSettings): Promise<string> {
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl })
  const server = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme())
  await server.initialize()
  const { address, name, version } = asset
  const price = { amount, asset: address, extra: { name, version } }
  const accepts = { scheme: 'exact', network, payTo, price, maxTimeoutSeconds: 600 }
  const app = express()
  const routes = { 'GET /weather': { accepts, description: 'The weather', mimeType: 'application/json' } }
  app.use(paymentMiddleware(routes, server, undefined, undefined, false))
  app.get('/weather', (_req, res) => void res.json({ weather: 'fine' }))
  return `${await listening(app.listen(0, '127.0.0.1'))}/weather`
}

/** The URL of a server on this machine, once it listens. */
export async function listening(server: Server): Promise<string> {
  if (!server.listening) await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
