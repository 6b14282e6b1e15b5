// A seller on @x402/hono that takes a JSON body, and offers two ways to pay, one of them on another chain.
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'

export default async ({ facilitator, network, elsewhere, payTo, listenFetch }) => {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator }))
  for (const chain of [network, elsewhere]) server.register(chain, new ExactEvmScheme())
  server.registerExtension(bazaarResourceServerExtension)
  const extensions = declareDiscoveryExtension({
    input: { text: 'Guten Tag' },
    inputSchema: { properties: { text: { type: 'string' } }, required: ['text'] },
    bodyType: 'json',
    output: { example: { text: 'Good day' } },
  })
  const accepts = [elsewhere, network].map((chain) => ({ scheme: 'exact', network: chain, payTo, price: '$0.01' }))
  const app = new Hono()
  app.use(paymentMiddleware({ 'POST /translation': { accepts, description: 'A translation', extensions } }, server))
  app.post('/translation', (c) => c.json({ text: 'Good day' }))
  return listenFetch(app.fetch)
}
