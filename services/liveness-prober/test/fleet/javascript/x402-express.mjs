// A seller of forecasts as in the documentation of @x402/express, which describes its input with the bazaar extension.
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar'
import express from 'express'

export default async ({ facilitator, network, price, payTo, listen }) => {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator }))
  server.register(network, new ExactEvmScheme()).registerExtension(bazaarResourceServerExtension)
  const extensions = declareDiscoveryExtension({
    input: { city: 'Bern' },
    inputSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
    output: { example: { degrees: 7 } },
  })
  const accepts = { scheme: 'exact', network, payTo, price }
  const app = express()
  app.use(paymentMiddleware({ 'GET /forecast': { accepts, description: 'A forecast', extensions } }, server))
  app.get('/forecast', (_req, res) => res.json({ degrees: 7 }))
  return listen(app)
}
