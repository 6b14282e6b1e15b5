import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Address } from '@callboard/values'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'
import type { Devnet } from './devnet.ts'
import { sellOnce } from './sell-once.ts'

export const PRICE_USD = '0.01'
const PRICE_BASE_UNITS = '10000'
const NAME = 'Callboard sample provider'

/** What a sample provider answers at `/about`, so that another demonstration can tell whose it is. */
interface About {
  readonly name: string
  /** The facilitator that settles its payments, which identifies the chain. */
  readonly facilitatorUrl: string
}

const FORECASTS = ['clear', 'light rain', 'fog in the morning', 'strong wind', 'snow above 800 m'] as const

export const endpointUrl = (port: number): string => `http://127.0.0.1:${port}/weather`

/**
 * A typical provider: its own HTTP server, the stock `@x402/express` middleware in front of one JSON endpoint, and our
 * facilitator for settlement. Of Callboard it knows only the facilitator's URL and its payee.
 * @returns a function that ends it
 */
export async function startSampleProvider(devnet: Devnet, payTo: Address, port: number): Promise<() => Promise<void>> {
  const facilitator = new HTTPFacilitatorClient({ url: devnet.facilitatorUrl })
  const network = devnet.network as `${string}:${string}`
  const resources = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme())
  sellOnce(resources)
  await resources.initialize()
  const price = {
    amount: PRICE_BASE_UNITS,
    asset: devnet.usdc.address,
    extra: { name: devnet.usdc.name, version: devnet.usdc.version },
  }
  const routes = {
    'GET /weather': {
      accepts: { scheme: 'exact', network, payTo, price, maxTimeoutSeconds: 120 },
      description: 'Tomorrow’s weather for a city',
      mimeType: 'application/json',
    },
  }
  const app = express()
  app.get('/about', (_req, res) => void res.json({ name: NAME, facilitatorUrl: devnet.facilitatorUrl } satisfies About))
  app.use(paymentMiddleware(routes, resources, undefined, undefined, false))
  app.get('/weather', (req, res) => {
    const city = typeof req.query.city === 'string' ? req.query.city : 'Reykjavík'
    const forecast = FORECASTS[[...city].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % FORECASTS.length]
    res.json({ city, forecast, for: 'tomorrow' })
  })
  const server: Server = createServer(app).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

/** What serves on a port: an instance's sample provider, by its facilitator; undefined for anything else. */
export async function sampleProviderAt(port: number): Promise<About | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/about`, { signal: AbortSignal.timeout(2_000) })
    const about = (await answer.json()) as About
    return about.name === NAME ? about : undefined
  } catch {
    return undefined
  }
}
