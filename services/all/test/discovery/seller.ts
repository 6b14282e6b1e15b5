import { type Devnet, listening, type Seller } from '@callboard/conformance'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar'
import express, { type RequestHandler } from 'express'

export interface DescribedSeller extends Seller {
  /** Makes the seller ask for payment to another wallet; null: makes it disappear. */
  payTo(wallet: `0x${string}` | null): void
}

/** What the seller says about itself. */
export const DESCRIBED = {
  description: 'The weather of a city',
  mimeType: 'application/json',
  serviceName: 'Honest Weather',
  tags: ['weather', 'forecast'],
  iconUrl: 'https://weather.example/icon.png',
}

/** A seller as the bazaar extension's users write one: stock middleware with a declared discovery extension. */
export async function startDescribedSeller(
  { baseUrl, devnet: { network, usdc } }: { baseUrl: string; devnet: Devnet },
  payTo: `0x${string}`,
): Promise<DescribedSeller> {
  const facilitator = new HTTPFacilitatorClient({ url: `${baseUrl}/x402` })
  const server = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme())
  server.registerExtension(bazaarResourceServerExtension)
  await server.initialize()
  const extensions = declareDiscoveryExtension({
    input: { city: 'Bern' },
    inputSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
    output: { example: { degrees: 7 }, schema: { properties: { degrees: { type: 'number' } } } },
  })
  const paywall = (wallet: `0x${string}`): RequestHandler => {
    const price = { amount: '2500', asset: usdc.address, extra: { name: usdc.name, version: usdc.version } }
    const accepts = { scheme: 'exact', network, payTo: wallet, price, maxTimeoutSeconds: 120 }
    return paymentMiddleware(
      { 'GET /weather': { accepts, ...DESCRIBED, extensions } },
      server,
      undefined,
      undefined,
      false,
    )
  }
  let asking: RequestHandler | null = paywall(payTo)
  const app = express()
  app.use((req, res, next) => void (asking ? asking(req, res, next) : res.status(404).end()))
  app.get('/weather', (_req, res) => void res.json({ degrees: 7 }))
  return {
    ...(await listening(app.listen(0, '127.0.0.1'))),
    payTo(wallet) {
      asking = wallet && paywall(wallet)
    },
  }
}
